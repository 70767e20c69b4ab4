// Passwords that are guessed first though they are long enough: common ones of published lists, and keyboard patterns.

/** Ten characters and more; shorter passwords are refused by their length. */
const usual = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwerty12345 qwerty123456 qwertzuiop asdfghjkl; zaq12wsxcde3 q1w2e3r4t5
  q1w2e3r4t5y6 password12 password123 password1234 password12345 password123! passw0rd123 p@ssw0rd123 p@ssword123
  passwort123 passwort1234 kennwort123 contraseña1 motdepasse1 administrator adminadmin admin12345 admin123456 letmein123
  letmeinnow welcome123 welcome1234 welcome123! willkommen willkommen1 iloveyou12 iloveyou123 sunshine123 football123
  baseball123 princess123 superman123 trustno1trustno1 changeme123 changemenow abcdefghij abcdefghijk abcdefghijkl
  abc1234567 abcd123456 a123456789 1234567890a 12345678910 0987654321 9876543210 1029384756 1472583690 pointofsale
  cashwrap123 cashwrap1234 cashregister`.split(/\s+/),
)

const ascending = '01234567890123456789abcdefghijklmnopqrstuvwxyz'
const descending = [...ascending].reverse().join('')

/** Whether a password, in lower case, is common, a run of characters, or a few characters repeated. */
export function isObvious(password: string): boolean {
  if (usual.has(password) || ascending.includes(password) || descending.includes(password)) return true
  for (let length = 1; length <= 4; length++)
    if ([...password].every((character, at, all) => character === all[at % length])) return true
  const half = password.slice(0, password.length / 2)
  return password === half + half && (usual.has(half) || ascending.includes(half) || half === 'password')
}

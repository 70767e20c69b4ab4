// Runs commands of `cashwrap` one after another in one process, since starting a process takes longer than most commands.
import { runCommandLine } from '../../src/commands/command-line.ts'

const ended = []
const { stdout, stderr } = process
const print = stdout.write.bind(stdout)
for (const args of JSON.parse(process.argv[2] ?? '')) {
  const written = { stdout: '', stderr: '' }
  for (const [name, stream] of Object.entries({ stdout, stderr }))
    stream.write = (text: string | Uint8Array) => {
      written[name as keyof typeof written] += text
      return true
    }
  process.exitCode = undefined
  const code = await runCommandLine(args)
  ended.push({ code, signal: null, ...written })
}
process.exitCode = 0
print(JSON.stringify(ended), () => process.exit())

// Mail: invitations and links to a new password reach the right person once, through mail servers that fail, and reveal nothing to others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/core/ids.ts'
import type { Database } from '../src/database/connect.ts'
import type { MailTimes } from '../src/features/mail/sending.ts'

import { clearPast } from '../src/features/people/expired-rows.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { type Service, startService } from '../src/service.ts'
import { makeCertificates } from './support/certificates.ts'
import { copyDatabase } from './support/database.ts'
import { answer, mailServer, mailSettings, type Refusals } from './support/mail-server.ts'
import { browserOf, newUser, password, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type TestService, testService, testSettings } from './support/service.ts'

/** Attempts follow each other at once, so that no test waits. */
const atOnce: MailTimes = { pauseMs: () => 20, lookMs: 20 }

const plain = testService()

/** What the shared mail server refuses; each test sets its own. */
let refusals: Refusals = {}
const lines: string[] = []
let stage: Stage
/** What ends the services and the mail server, the last one first. */
const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Services on one database that use one mail server. */
before(async () => {
  const smtp = await mailServer(
    { after: (end: () => unknown) => void ends.push(end) },
    {
      refusals: {
        recipient: (address) => refusals.recipient?.(address),
        message: (count) => refusals.message?.(count),
      },
    },
  )
  const { connection, drop } = await copyDatabase()
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const settings = { ...testSettings, log, mail: mailSettings(smtp.port), mailing: atOnce }
  const services = [await startService(connection, settings), await startService(connection, settings)] as const
  ends.push(drop, ...services.map(({ close }) => close))
  const [{ url, database }] = services
  const { organizationId } = await createOrganization(database, { name: 'Shops', ownerEmail: 'owner@example.com' })
  // What the helpers of people need of a service.
  const service = { ...plain, url, database, caller: (own = {}, at = url) => plain.caller(own, at) } as TestService
  stage = { smtp, service, services, database, organizationId }
})

test('the sign-in page offers a reset only where the service sends mail', async () => {
  const pageOf = async (from: TestService) => (await from.caller()('GET', '/console/sign-in')).text
  assert.match(await pageOf(stage.service), /<meta name="cashwrap-mail">/)
  assert.doesNotMatch(await pageOf(plain), /cashwrap-mail/)
})

interface Stage {
  readonly smtp: Awaited<ReturnType<typeof mailServer>>
  readonly service: TestService
  readonly services: readonly [Service, Service]
  readonly database: Database
  readonly organizationId: string
}

/** An empty mailbox, and a company; limits of earlier tests are forgotten. */
async function started() {
  const { smtp, service, database, organizationId } = stage
  smtp.mails.length = 0
  lines.length = 0
  refusals = {}
  await database.query('delete from sign_in_failures')
  const created = { name: 'Corner Shop', currency: 'EUR', timezone: 'Europe/Vienna', organizationId }
  const { companyId } = await createCompany(database, created)
  const ask = (email: string) => service.caller()('POST', '/v1/console/password-reset', { email })
  const empty = () =>
    until('no mail waits', async () => (await database.query('select count(*) from mails'))[0]?.[0] === 0)
  return { ...stage, companyId, ask, empty }
}

const linkIn = (text: string): string => /https:\S+\/console\/link#token=([\w-]{43})/.exec(text)?.[1] ?? ''

test('an invitation is mailed with the link that the answer shows, in text and HTML, and the link works', async () => {
  const { smtp, service, companyId, empty } = await started()
  const owner = await person(service, { companyId })
  await owner.call('PATCH', '/v1/console/user', { name: 'Ann Archer' })
  const email = `${newId()}@new.example`
  const { status, body, text } = await owner.about({ companyId })('POST', '/v1/members', { email, role: 'viewer' })
  assert.deepEqual([status, body.isMailed], [201, true], text)
  await empty()
  assert.equal(smtp.mails.length, 1)
  const [mail] = smtp.mails
  assert.ok(mail)
  assert.deepEqual([mail.to, mail.from], [[email], 'pos@shop.example'])
  assert.equal(mail.headers.get('from'), 'Corner Shop <pos@shop.example>')
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(mail.subject, 'Join Corner Shop on Cashwrap')
  for (const part of [mail.text, mail.html]) {
    assert.match(part, /Ann Archer/)
    assert.match(part, /as a viewer/)
    assert.match(part, /\(Europe\/Vienna\)/)
    assert.equal(`/console/link#token=${linkIn(part)}`, body.link)
  }
  // Nothing is loaded from elsewhere, so that nobody sees whether the mail was opened.
  assert.doesNotMatch(mail.html, /<(img|script|link|iframe)|url\(/)
  const used = await service.caller()('POST', '/v1/console/link/use', { token: linkIn(mail.text), password, email })
  assert.equal(used.status, 200, used.text)

  // A renewed link is mailed too; the link of a member to a new password is handed over by the owner only.
  const other = await owner.about({ companyId })('POST', '/v1/members', { email: `b-${email}`, role: 'viewer' })
  const renewed = await owner.about({ companyId })('POST', `/v1/members/${other.body.id}/link`)
  assert.equal(renewed.body.isMailed, true)
  const own = await owner.about({ companyId })('POST', `/v1/members/${body.id}/link`)
  assert.deepEqual([own.status, Object.keys(own.body)], [201, ['link']])
  await empty()
  assert.ok(smtp.mails.slice(1).every(({ to }) => to[0] === `b-${email}`))
  // Both may be sent at once, so they arrive in any order.
  const links = smtp.mails.map((sent) => `/console/link#token=${linkIn(sent.text)}`)
  assert.ok(links.includes(renewed.body.link))
})

test('no name ends a header, adds a recipient, becomes markup or becomes a link', async () => {
  const { smtp, service, database, companyId, empty } = await started()
  // Bidirectional controls, markup, and an address that readers of mail would make a link of.
  const hostile = 'Shop\u202e <b>x</b> https://evil.example/a?b "q" & evil.example'
  await database.query('update companies set name = $2 where id = $1', [companyId, hostile])
  const owner = await person(service, { companyId })
  await database.query('update users set name = $2 where id = $1', [
    owner.userId,
    'Ann\r\nBcc: victim@example.com\r\n\r\nInjected',
  ])
  const email = `${newId()}@new.example`
  await owner.about({ companyId })('POST', '/v1/members', { email, role: 'admin' })
  await empty()
  const [mail] = smtp.mails
  assert.ok(mail)
  assert.deepEqual(mail.to, [email])
  assert.equal(mail.headers.has('bcc'), false)
  assert.doesNotMatch(mail.source.split('\r\n\r\n')[0] ?? '', /victim/)
  assert.doesNotMatch(mail.html, /<b>x/)
  for (const part of [mail.subject, mail.text, mail.html]) {
    assert.doesNotMatch(part, /evil\.example|https:\/\/evil|\u202e/)
    assert.match(part.replaceAll('\u2060', ''), /evil\.example/)
  }
})

test('a request for a new password is answered the same whether or not the address has an account, and only an account gets a link', async () => {
  const { smtp, service, ask, empty, database } = await started()
  const { email, id } = await newUser(service)
  const before = await signIn(service, email)
  const known = await ask(email.toUpperCase())
  const unknown = await ask(`${newId()}@nobody.example`)
  assert.deepEqual([known.status, known.body], [202, unknown.body])
  assert.equal(unknown.status, 202)
  await empty()
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [[email]],
  )
  const token = linkIn(smtp.mails[0]?.text ?? '')
  const [minutes] = await database.query(
    `select extract(epoch from expires_at - created_at) / 60 from sign_in_links where user_id = $1`,
    [id],
  )
  assert.equal(Number(minutes?.[0]), 60)
  const chosen = 'four other words of mine'
  const use = () => service.caller()('POST', '/v1/console/link/use', { token, password: chosen })
  const used = await use()
  assert.equal(used.status, 200, used.text)
  assert.equal(browserOf(service, used).userId, id)
  assertProblem(await use(), 401, 'invalid_link')
  assert.equal((await before.call('GET', '/v1/console/sign-in')).status, 401)
})

test('a change of the address ends the link that was mailed to the old one', async () => {
  const { smtp, service, ask, empty } = await started()
  const { email } = await newUser(service)
  const browser = await signIn(service, email)
  await ask(email)
  await empty()
  const changed = { email: `${newId()}@people.example`, currentPassword: password }
  assert.equal((await browser.call('PATCH', '/v1/console/user', changed)).status, 200)
  const token = linkIn(smtp.mails[0]?.text ?? '')
  assertProblem(await service.caller()('POST', '/v1/console/link/use', { token, password }), 401, 'invalid_link')
})

test('a mailed link leaves the link of an owner valid, and the first that is used ends all', async () => {
  const { smtp, service, companyId, ask, empty } = await started()
  const owner = await person(service, { companyId })
  const { email, id } = await newUser(service, { companyId }, 'viewer')
  const { data } = (await owner.about({ companyId })('GET', '/v1/members')).body
  const member = data.find(({ userId }: { userId: string }) => userId === id)
  const { body } = await owner.about({ companyId })('POST', `/v1/members/${member.id}/link`)
  await ask(email)
  await empty()
  const use = (token: string) => service.caller()('POST', '/v1/console/link/use', { token, password })
  assert.equal((await use(body.link.split('#token=')[1])).status, 200)
  assertProblem(await use(linkIn(smtp.mails[0]?.text ?? '')), 401, 'invalid_link')
})

test('requests for new passwords are limited by network with 429, and by address without a sign', async () => {
  const { smtp, service, ask, empty } = await started()
  const { email } = await newUser(service)
  for (let n = 0; n < 5; n++) assert.equal((await ask(email)).status, 202)
  await empty()
  assert.equal(smtp.mails.length, 3)
  for (let n = 0; n < 5; n++) assert.equal((await ask(`${n}@nobody.example`)).status, 202)
  const refused = await ask(email)
  assertProblem(refused, 429, 'rate_limited')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

test('mails wait while the mail server is down, arrive once when it is back, and the log holds no link and no address', async () => {
  const { smtp, service, database, companyId, empty } = await started()
  const owner = await person(service, { companyId })
  await smtp.down()
  const email = `${newId()}@new.example`
  const withdrawn = `${newId()}@new.example`
  const { body } = await owner.about({ companyId })('POST', '/v1/members', { email, role: 'viewer' })
  const second = await owner.about({ companyId })('POST', '/v1/members', { email: withdrawn, role: 'viewer' })
  await owner.about({ companyId })('DELETE', `/v1/members/${second.body.id}`)
  // An attempt that began before the withdrawal may still be under way; a later one removes the mail.
  await until('one mail is left', async () => (await database.query('select count(*) from mails'))[0]?.[0] === 1)
  await until('attempts failed', () => lines.filter((line) => line.includes('mail delivery failed')).length >= 3)
  assert.match(lines.join(''), /mail delivery failed; retrying in \d+ s/)
  assert.match(lines.join(''), /ECONNREFUSED/)
  await smtp.up()
  await empty()
  // The withdrawn invitation is not sent.
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [[email]],
  )
  for (const secret of [body.link.split('#token=')[1], email]) assert.doesNotMatch(lines.join(''), new RegExp(secret))
})

test('a mail that is refused for now is sent again, and one whose recipient is refused for good is given up', async () => {
  const bad = `${newId()}@gone.example`
  const { smtp, service, companyId, empty } = await started()
  let later = 2
  refusals = {
    recipient: (address) => (address === bad ? answer(550, `5.1.1 <${address}> does not exist`) : undefined),
    message: () => (later-- > 0 ? answer(451, '4.3.0 try later') : undefined),
  }
  const owner = await person(service, { companyId })
  const email = `${newId()}@new.example`
  for (const one of [bad, email])
    await owner.about({ companyId })('POST', '/v1/members', { email: one, role: 'viewer' })
  await empty()
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [[email]],
  )
  const said = lines.join('')
  assert.match(said, /451 4\.3\.0 try later.*retrying/)
  assert.match(said, /5\.1\.1.*given up/)
  assert.ok(!said.includes(bad))
})

test('a recipient that is refused by policy, such as a relay, is tried again, and no answer shows an address in the log', async () => {
  const email = `${newId()}@new.example`
  const { smtp, service, companyId, empty } = await started()
  let refused = 1
  refusals = {
    recipient: (address) =>
      refused-- > 0 ? answer(554, `5.7.1 <${address.toUpperCase()}> Relay access denied`) : undefined,
  }
  const owner = await person(service, { companyId })
  await owner.about({ companyId })('POST', '/v1/members', { email, role: 'viewer' })
  await empty()
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    [[email]],
  )
  const said = lines.join('')
  assert.match(said, /5\.7\.1.*retrying/)
  assert.ok(!said.toLowerCase().includes(email))
})

test('mails that have expired are cleared, also where no mail is sent', async () => {
  const { database } = plain
  await database.query(
    `insert into mails (id, kind, content, next_try_at, expires_at, created_at)
     select kind, kind, 'x', now(), now() + make_interval(hours => n), now() from (values ('old', -2), ('new', 1)) as item(kind, n)`,
  )
  await clearPast(database)
  assert.deepEqual(await database.query('delete from mails returning id'), [['new']])
})

test('an address of the mail server with a wrong percent sign is refused with the name of its variable', () => {
  const variables = { CASHWRAP_MAIL_FROM: 'a@b.example', CASHWRAP_PUBLIC_URL: 'https://pos.example' }
  assert.throws(
    () => readConfig({ ...variables, CASHWRAP_SMTP_URL: 'smtp://u:p%zz@mail.example' }),
    /^OperatorError: CASHWRAP_SMTP_URL/,
  )
})

test('two servers send each mail once', async () => {
  const { smtp, service, companyId, services, empty } = await started()
  const owner = await person(service, { companyId })
  const addresses = Array.from({ length: 20 }, () => `${newId()}@new.example`)
  await Promise.all(
    addresses.map(async (email, n) => {
      const call = owner.about({ companyId }, services[n % 2]?.url)
      assert.equal((await call('POST', '/v1/members', { email, role: 'viewer' })).status, 201)
    }),
  )
  await empty()
  assert.deepEqual(smtp.mails.map(({ to }) => to[0]).sort(), addresses.sort())
  assert.equal(new Set(smtp.mails.map(({ headers }) => headers.get('message-id'))).size, 20)
})

test('an organization mails at most fifty invitations in 15 minutes; further links are only shown', async () => {
  const { service, database, companyId } = await started()
  const owner = await person(service, { companyId })
  await database.query(
    `insert into sign_in_failures (name, failures, since) select 'invitations ' || organization_id, 50, now() from companies where id = $1`,
    [companyId],
  )
  const email = `${newId()}@new.example`
  const { status, body } = await owner.about({ companyId })('POST', '/v1/members', { email, role: 'viewer' })
  assert.deepEqual([status, body.isMailed, typeof body.link], [201, undefined, 'string'])
})

test('at most three invitations are mailed to an address in 15 minutes, however often its link is renewed', async () => {
  const { smtp, service, companyId, empty } = await started()
  const call = (await person(service, { companyId })).about({ companyId })
  const { body } = await call('POST', '/v1/members', { email: `${newId()}@new.example`, role: 'viewer' })
  const mailed: unknown[] = []
  for (let n = 0; n < 3; n++) {
    await empty()
    mailed.push((await call('POST', `/v1/members/${body.id}/link`)).body.isMailed)
  }
  await empty()
  assert.deepEqual([mailed, smtp.mails.length], [[true, true, undefined], 3])
})

test('without a mail server links are only shown, and a request for a new password says whom to ask', async () => {
  const { id } = await plain.company()
  const owner = await person(plain, { companyId: id })
  const { body } = await owner.about({ companyId: id })('POST', '/v1/members', { email: `${newId()}@x.example`, role: 'viewer' }) // biome-ignore format: one thought
  assert.deepEqual([body.isMailed, typeof body.link], [undefined, 'string'])
  assertProblem(
    await plain.caller()('POST', '/v1/console/password-reset', { email: 'ann@example.com' }),
    409,
    'conflict',
  )
  assert.equal((await plain.database.query('select count(*) from mails'))[0]?.[0], 0)
})

test('mail goes over TLS with a user and password, and to no server that shows the certificate of another', async (t) => {
  const { ca, good, misnamed } = makeCertificates()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, ca])
  t.after(() => setDefaultCACertificates(before))
  for (const [tls, secure] of [
    [good, true],
    [good, false],
    [misnamed, false],
  ] as const) {
    const smtp = await mailServer(t, { secure, ...tls })
    const { smtpTransport } = await import('../src/features/mail/transport.ts')
    const user = { name: 'pos', password: 'p@ss word' }
    const transport = smtpTransport(mailSettings(smtp.port, { isSecure: secure, user }))
    const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
    const sent = transport.send(newId(), mail, AbortSignal.timeout(20_000))
    if (tls === misnamed) {
      await assert.rejects(sent, /certificate|altnames/i)
      assert.deepEqual([smtp.mails, smtp.signIns], [[], []])
      continue
    }
    await sent
    assert.deepEqual(smtp.signIns, [{ user: 'pos', password: 'p@ss word' }])
    assert.deepEqual([smtp.mails[0]?.user, smtp.mails[0]?.isEncrypted], ['pos', true])
  }
  // A password goes to no other machine without TLS.
  const bare = await mailServer(t)
  const { smtpTransport } = await import('../src/features/mail/transport.ts')
  const elsewhere = smtpTransport(mailSettings(bare.port, { host: '0.0.0.0', user: { name: 'pos', password: 'p' } }))
  const mail = { to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  await assert.rejects(elsewhere.send(newId(), mail, AbortSignal.timeout(20_000)), /ETLS|STARTTLS|TLS/)
  assert.deepEqual([bare.mails, bare.signIns], [[], []])
})

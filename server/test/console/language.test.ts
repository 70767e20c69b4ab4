// The language of the console: the browser's, or the one that the user chose there; each has every text.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { members } from '../../../console/src/texts/de/members.ts'
import { problems } from '../../../console/src/texts/de/problems.ts'
import { saidOfReceiver } from '../../../console/src/texts/de/receiver.ts'
import { saidOfRejection } from '../../../console/src/texts/de/rejections.ts'
import { purposes } from '../../../console/src/texts/de/resources.ts'
import { roles } from '../../../console/src/texts/de/roles.ts'
import { text as english } from '../../../console/src/texts/problems.ts'
import { purposes as englishPurposes } from '../../../console/src/texts/resources.ts'
import { anyCaseCurrency, decimalPattern, type JsonSchema } from '../../src/core/json-schema.ts'
import { checker } from '../../src/core/json-schema-checker.ts'
import { bodyError, invalid, problemStatus, reasons } from '../../src/core/problem.ts'
import { rules } from '../../src/core/rules.ts'
import { typeHint } from '../../src/features/events/meant-type.ts'
import { reasonOf as rejectedFor } from '../../src/features/file-import/records.ts'
import { reasonOf } from '../../src/features/webhooks/call.ts'
import { resources } from '../../src/resources/index.ts'
import { tillPermissions } from '../../src/resources/till-permissions.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** The problem of a write while the disk of the database is full. */
const full = { code: 'unavailable', reason: 'database_full', message: 'The disk of the database is full.' }

browserTest('the console speaks the browser’s language, and the user can choose another one', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/product', { name: 'Tee', status: 'active' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 400/ })
  await go(`/c/${company.id}/products`)
  await page.getByRole('heading', { name: 'Produkte' }).waitFor()
  await page.getByText('Aktiv', { exact: true }).waitFor()
  // The points of a date such as 27.11. are seen: in figures of their own widths they are not.
  assert.equal(await page.evaluate('getComputedStyle(document.body).fontVariantNumeric'), 'tabular-nums')
  assert.equal(await page.locator('html').getAttribute('lang'), 'de')
  await accessible()
  // The API's most usual messages too.
  await page.getByRole('link', { name: 'Neues Produkt' }).click()
  await page.getByRole('button', { name: 'Produkt erstellen' }).click()
  await page.getByRole('listitem').getByText('Name: muss angegeben werden').waitFor()
  // And the names of buttons that the components bring along.
  await go('/user')
  await page.getByRole('button', { name: 'Passwort anzeigen' }).first().waitFor()
  await go(`/c/${company.id}/products`)

  await page.getByRole('button', { name: 'Ihr Profil:' }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
  await page.reload()
  await page.getByRole('heading', { name: 'Products', exact: true }).waitFor()
  quiet()
})

browserTest(
  'a browser of a language that the console does not have gets English, with its own numbers, also in files',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, locale: 'fr-FR' })
    await go(`/c/${company.id}/products`)
    await page.getByText('No products yet').waitFor()
    await company.call('POST', '/v1/transaction', {
      type: 'sale',
      paymentMethod: 'cash',
      amount: '1234.50',
      currency: 'EUR',
    })
    await go(`/c/${company.id}/transactions`)
    await page
      .getByText(/1\s234,50\s€/)
      .first()
      .waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const saved = await readFile(await file.path(), 'utf8')
    assert.match(saved, /^\ufeffId;/)
    assert.match(saved, /;1234,50;/)
    // The shop has no time zone: the days of reports are those of the browser, as those of lists, and the page says so.
    const [asked] = await Promise.all([page.waitForRequest(/\/v1\/reports\/sales/), go(`/c/${company.id}/reports`)])
    assert.equal(new URL(asked.url()).searchParams.get('timezone'), 'Europe/Vienna')
    await page.getByText('days and times are those of your browser (Europe/Vienna)').waitFor()
    quiet()
  },
)

/** The members within a value, at any depth. */
function membersIn(schema: JsonSchema): string[] {
  const { items, properties = {} } = schema as { items?: JsonSchema; properties?: Record<string, JsonSchema> }
  const own = Object.entries(properties).flatMap(([member, inner]) => [member, ...membersIn(inner)])
  return items === undefined ? own : [...own, ...membersIn(items)]
}

test('every member that a resource declares has a German label, also those within others', () => {
  for (const { name, fields } of resources)
    for (const [member, { schema }] of Object.entries(fields))
      for (const each of [member, ...membersIn(schema)])
        assert.ok(Object.hasOwn(members, each), `${name.one}.${member}: ${each}`)
})

test('every list of records says what is in it while it is empty, in both languages', () => {
  const elsewhere = ['categories', 'inventories', 'catalog-visibilities', 'automation-triggers']
  const listed = resources.map(({ styleB }) => styleB?.many).filter((many) => !!many && !elsewhere.includes(many))
  for (const said of [englishPurposes, purposes]) assert.deepEqual(Object.keys(said).sort(), listed.sort())
})

test('every permission of a company’s first roles has a German name, and so has its area', () => {
  assert.deepEqual(Object.keys(roles.names), [...new Set(tillPermissions.map(({ name }) => name))])
  const areas = tillPermissions.map(({ permissionId }) => permissionId.split('.')[0])
  assert.deepEqual(Object.keys(roles.areas), [...new Set(areas)])
})

test('every refusal of a sign-in, or for want of one, has a German text', () => {
  const isOfSignIn = (code: string) => /^(invalid_(?!key$)|missing_key$|not_signed_in$)/.test(code)
  const refusals = Object.keys(problemStatus).filter(isOfSignIn)
  assert.deepEqual(Object.keys(problems.signIn).sort(), refusals.sort())
})

test('every rule that a refusal names has a German text', () => {
  assert.deepEqual(Object.keys(problems.reasons).sort(), [...rules].sort())
})

browserTest(
  'what the service refuses is said in German: by a rule, for want of a role, and a file that it cannot read',
  async () => {
    const shop = await teaShop(service)
    const id = await sellTea(shop)
    const { company } = shop
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      locale: 'de-AT',
      width: 375,
      expects: /status of (409|403|400|503)/,
    })
    await go(`/c/${company.id}/orders/${id}`)
    await page.getByRole('button', { name: 'Erstatten', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tea: Menge').fill('4')
    await dialog.getByRole('button', { name: 'Erstatten', exact: true }).click()
    await dialog.getByText('Nur noch 3 übrig.').waitFor()
    // Both choices are within their frame on a phone.
    const frame = await dialog.getByRole('radiogroup').boundingBox()
    const last = await dialog.getByText('Alles Übrige', { exact: true }).boundingBox()
    assert.ok(frame && last && last.x + last.width <= frame.x + frame.width)
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    await page.getByRole('button', { name: 'Mehr' }).click()
    await page.getByRole('menuitem', { name: 'Stornieren' }).click()
    // Another till is first.
    await company.call('POST', `/v1/sale/${id}/void`, {})
    await dialog.getByRole('button', { name: 'Stornieren' }).click()
    await dialog.getByText('Dieser Verkauf wurde storniert. Legen Sie stattdessen einen neuen an.').waitFor()

    await go(`/c/${company.id}/imports`)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Datei wählen' }).click(),
    ])
    const take = () => chooser.setFiles({ name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await take()
    await page.getByText('Cashwrap kann diese Datei nicht lesen.').waitFor()
    await page.route('**/v1/imports*', (route) => route.fulfill({ status: 503, json: full }), { times: 1 })
    await take()
    await page.getByText('Sie können alles ansehen, aber nichts speichern.').waitFor()
    await service.database.query(`update members set role = 'viewer' where company_id = $1`, [company.id])
    await take()
    // The page has read the new role and offers no upload; why it was refused is still there.
    await page.getByRole('button', { name: 'Andere Datei wählen' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Datei wählen' }).waitFor({ state: 'detached' })
    await page.getByRole('alert').filter({ hasText: 'Das dürfen nur Administratoren und Inhaber.' }).waitFor()
    assert.equal(await page.getByText('Your role').count(), 0)
    quiet()
  },
)

browserTest('an amount or a time that is out of its bounds is refused in German', async () => {
  const shop = await teaShop(service)
  const { company, sessionId } = shop
  const id = await sellTea(shop)
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    locale: 'de-AT',
    expects: /status of (400|409)/,
  })
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await page.getByRole('button', { name: 'Einlage oder Entnahme' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Betrag').fill('0')
  await dialog.getByRole('button', { name: 'Bargeldbewegung erstellen' }).click()
  await dialog.getByText('Muss größer als 0 sein.').waitFor()

  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Erstatten', exact: true }).click()
  await dialog.getByLabel('Tea: Menge').fill('-1')
  await dialog.getByRole('button', { name: 'Erstatten', exact: true }).click()
  await dialog.getByText('Muss größer als 0 sein.').waitFor()

  await go(`/c/${company.id}/settings/company`)
  const rounding = page.getByLabel('Bargeld wird gerundet auf')
  await rounding.fill('0,003')
  await page.keyboard.press('Enter')
  await page.getByText('Beträge in EUR haben höchstens 2 Nachkommastellen.').waitFor()
  await rounding.fill('0')
  await page.keyboard.press('Enter')
  await page.getByText('Muss größer als 0 sein.').waitFor()

  // What a rule says of one member has the text of the rule, and a trigger cannot lead into the network of the service.
  await go(`/c/${company.id}/automation/new`)
  await page.getByRole('combobox', { name: 'Ereignisse' }).fill('*')
  await page.keyboard.press('Tab')
  const message = 'Another organization already has the alias.'
  const errors = [{ in: 'body', pointer: '/triggerUrl', code: 'taken', message }]
  const json = { code: 'conflict', reason: 'alias_taken', message, errors }
  await page.route('**/v1/automation-trigger', (route) => route.fulfill({ status: 409, json }), { times: 1 })
  await page.getByLabel('URL').fill('http://10.0.0.1/')
  await page.keyboard.press('Enter')
  await page.getByText('Diesen Alias hat bereits eine andere Organisation. Wählen Sie einen anderen.').last().waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^Muss zu einer öffentlichen Adresse führen/).waitFor()

  await go(`/c/${company.id}/cash-movements/new`)
  await page.getByLabel('Datum').fill('2999-01-01T10:00')
  await page.keyboard.press('Enter')
  await page.getByText('Darf nicht in der Zukunft liegen.').waitFor()

  await go('/user')
  await page.getByLabel('Jetziges Passwort').fill('not my password')
  await page.getByLabel('Neues Passwort').fill('a password that is new')
  await page.keyboard.press('Enter')
  await page.getByText('Ist nicht richtig.').waitFor()
  quiet()
})

/** What a folder's sources say after one of some beginnings, with a number for each value in it. */
async function saidIn(folder: string, beginning: string): Promise<string[]> {
  const root = new URL(`../../src/features/${folder}/`, import.meta.url)
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, root), 'utf8')))
  const sentence = new RegExp(`(?:${beginning})(['\`])(.*?)\\1`, 'g')
  return texts.flatMap((text) =>
    Array.from(text.matchAll(sentence), ([, , said = '']) => said.replaceAll(/\$\{.*?\}/g, '7')),
  )
}

test('why a line of a file was rejected, or an undo leaves a record, is said in German too', async () => {
  const ofCells = await saidIn('file-import', String.raw`refuseCell\(\s*(?:cell|value|cell\('\w+'\)),\s*`)
  const ofLines = await saidIn('file-import', String.raw`new Refusal\(\s*(?!.*[$][{]why)|problem: `)
  const ofUndone = await saidIn('imports', `(?:then|else) (?='[A-Z])`)
  assert.ok(ofCells.length > 12 && ofLines.length > 20 && ofUndone.length > 15)
  for (const said of [...ofCells.map((why) => `Price "7" ${why}`), ...ofLines, ...ofUndone])
    assert.notEqual(saidOfRejection(said), said)
  assert.equal(saidOfRejection('Regular price "dear" is not a number'), 'Regular price „dear“ ist keine Zahl.')
  assert.equal(saidOfRejection('Price "$1" is not a number'), 'Price „$1“ ist keine Zahl.')
  assert.equal(saidOfRejection('sku must be shorter'), 'sku must be shorter')
})

test('why the API refuses a value of a file is said in German too, with the name of its member', () => {
  const text = { type: 'string' }
  const wrong = {
    name: undefined,
    email: [{ ...text, format: 'email' }, 'x'],
    images: [{ type: 'array', maxItems: 0 }, [1]],
    tags: [{ type: 'array', minItems: 1 }, []],
    website: [{ ...text, format: 'uri' }, 'x'],
    born: [{ ...text, format: 'date' }, 'x'],
    occurredAt: [{ ...text, format: 'date-time' }, 'x'],
    amount: [{ ...text, pattern: decimalPattern }, 'x'],
    total: [{ ...text, pattern: decimalPattern }, 1],
    currency: [{ ...text, pattern: anyCaseCurrency }, 'x'],
    sku: [{ ...text, maxLength: 3 }, 'long'],
    phone: [{ ...text, minLength: 3 }, 'x'],
    city: [{ ...text, minLength: 1 }, ''],
    street: [{ ...text, pattern: '\\S' }, ' '],
    price: [{ type: 'number' }, 'x'],
    salePrice: [{ type: 'number', minimum: 0 }, -1],
    costPrice: [{ type: 'number', maximum: 1 }, 2],
    stock: [{ type: 'number', 'x-decimals': 6 }, 1e16],
    quantity: [{ type: 'integer' }, 1.5],
    note: [text, 1],
    isOnSale: [{ type: 'boolean' }, 'x'],
    status: [{ enum: ['active', 'draft'] }, 'x'],
  } as const
  const given = Object.entries(wrong).flatMap(([name, one]) => (one ? [[name, one] as const] : []))
  const check = checker({
    type: 'object',
    required: ['name'],
    properties: Object.fromEntries(given.map(([name, [schema]]) => [name, schema])),
  } as JsonSchema)
  const errors = check(Object.fromEntries(given.map(([name, [, value]]) => [name, value])))
  assert.equal(errors.length, Object.keys(wrong).length)
  for (const error of errors) {
    const english = rejectedFor(invalid([error]))
    assert.doesNotMatch(saidOfRejection(english), /\b(must|is)\b/, english)
  }
  const two = [bodyError('/billing/city', 'required', 'is required'), bodyError('/sku', 'type', 'must be a string')]
  const said = saidOfRejection(rejectedFor(invalid(two)))
  assert.equal(said, 'Billing › City: muss angegeben werden; SKU: muss ein Text sein.')
})

test('each reason of a server that does not answer now has a text that says what to do, in both languages', () => {
  const others = ['password_guesses']
  for (const { busy } of [english, problems])
    assert.deepEqual([...Object.keys(busy), ...others].sort(), Object.keys(reasons).sort())
  // A request of several statements may be refused after its first.
  for (const said of [...Object.values(english.busy), ...Object.values(problems.busy)])
    assert.doesNotMatch(said, /nothing was done|nichts ist geschehen/i)
})

test('every file of texts can be translated, and German has a section for each', async () => {
  const folder = new URL('../../../console/src/texts/', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  const catalogue = await readFile(new URL('de/catalogue.ts', folder), 'utf8')
  for (const file of files) {
    const text = await readFile(new URL(file, folder), 'utf8')
    const sections = [...text.matchAll(/\btranslated\('([^']+)'/g)].map(([, section]) => section as string)
    assert.ok(sections.length > 0, `${file} has texts that cannot be translated`)
    for (const section of sections)
      assert.match(catalogue, new RegExp(`^ {2}('${section}'|${section})[:,]`, 'm'), section)
  }
})

test('what the service says of a receiver that did not answer, or of a trigger that is off, is said in German too', () => {
  const codes = [
    ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    ...['CERT_REVOKED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ...['HPE_HEADER_OVERFLOW', 'HPE_INVALID_CONSTANT', 'EPROTO', 'ENOTFOUND', 'ENODATA', 'ETIMEOUT', 'ESERVFAIL'],
    ...['EBADNAME', 'EMFILE', ''],
  ]
  for (const code of codes) {
    const sentence = reasonOf(Object.assign(new Error('failed'), { code }), 'https://hooks.example.com/a')
    assert.doesNotMatch(saidOfReceiver(sentence), /\b(The|the|is|does|failed)\b/, code)
  }
  const refused = Object.assign(new Error('must lead to a public address; 10.0.0.1 is private'), { code: 'TARGET' })
  for (const sentence of [
    reasonOf(refused, 'https://10.0.0.1'),
    ...['The receiver answered 410 Gone.', 'Every call failed for 5 days.', 'Switched off by request.'],
    'No response within 15 s.',
    'The receiver redirected the call. Redirects are not followed: set triggerUrl to the final address.',
    ...['sale.completed', 'order.completed,refund.created'].map((type) => typeHint(type) ?? assert.fail(type)),
  ])
    assert.notEqual(saidOfReceiver(sentence), sentence)
  assert.equal(saidOfReceiver('Something new.'), 'Something new.')
})

// Custom tables in the browser: a table that extends customers, edit conflicts, references, and deletion.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('a table that extends customers is created, and its columns are shown on a customer', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 400/,
  })
  const dialog = page.getByRole('dialog')
  await go(`/c/${company.id}/tables`)
  await page.getByRole('button', { name: 'New table' }).click()
  // A form says what it lacks when it is sent.
  await dialog.getByRole('button', { name: 'Create table' }).click()
  await dialog.getByText('Use only lower-case letters and digits, with hyphens between them').waitFor()
  await page.locator('[aria-invalid="true"]:focus').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Loyalty card')
  await dialog.getByRole('switch', { name: 'Extends customers' }).check()
  await accessible()
  await dialog.getByRole('button', { name: 'Create table' }).click()
  await page.getByRole('heading', { level: 1, name: 'loyalty-card' }).waitFor()
  for (const [name, type] of [
    ['tier', 'Text'],
    ['points', 'Number'],
  ] as const) {
    await page.getByRole('button', { name: 'Add field' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: type, exact: true }).click()
    if (name === 'tier') await dialog.getByRole('textbox', { name: 'Default value' }).fill('bronze')
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('rowheader', { name }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    // Also after the first one, with which the button has moved.
    await page.getByRole('button', { name: 'Add field' }).and(page.locator(':focus')).waitFor()
  }
  await accessible()

  await page.getByRole('tab', { name: 'Data' }).click()
  await page.getByRole('button', { name: 'Add row' }).first().click()
  await dialog.getByRole('combobox', { name: 'customer' }).fill('Arch')
  await page.getByRole('option', { name: 'Ann Archer' }).click()
  await dialog.getByRole('textbox', { name: 'points' }).fill('120')
  await accessible()
  await dialog.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('link', { name: 'Ann Archer' }).waitFor()
  await page.getByRole('cell', { name: 'bronze' }).waitFor()
  const { body } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.deepEqual(body['loyalty-card'], { tier: 'bronze', points: 120 })

  await go(`/c/${company.id}/customers/${customer.id}`)
  await page.getByRole('heading', { level: 2, name: 'Loyalty card' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Tier' }).inputValue(), 'bronze')
  await page.getByRole('textbox', { name: 'Points' }).fill('150')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const [row] = (await company.call('GET', '/v1/api/custom-table-data/loyalty-card')).body
  assert.equal(row.points, 150)
  quiet()
})

browserTest('a row that another user has changed in the meantime is not overwritten', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'pets' })
  await company.call('POST', '/v1/api/custom-table-field', { tableId: table._id, name: 'kind', type: 'string' })
  const { body: made } = await company.call('POST', '/v1/api/custom-table-data/pets', { kind: 'dog' })
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 412/,
  })
  await go(`/c/${company.id}/tables/${table._id.$oid}`)
  await page.getByRole('link', { name: 'dog' }).click()
  await page.getByRole('textbox', { name: 'kind' }).fill('hound')
  await company.call('PUT', `/v1/api/custom-table-data/pets/${made.rowId.$oid}`, { kind: 'cat' })
  await page.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('dialog', { name: 'Changed since you opened it' })
  await conflict.getByText('cat').waitFor()
  await conflict.getByRole('button', { name: 'Save chosen values' }).click()
  await page.getByRole('link', { name: 'hound' }).waitFor()
  quiet()
})

browserTest('the button that deletes a row is away from the one that saves it', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'pets' })
  await company.call('POST', '/v1/api/custom-table-field', { tableId: table._id, name: 'kind', type: 'string' })
  await company.call('POST', '/v1/api/custom-table-data/pets', { kind: 'dog' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/tables/${table._id.$oid}`)
  await page.getByRole('link', { name: 'dog' }).click()
  const panel = page.getByRole('dialog')
  const remove = await panel.getByRole('button', { name: 'Delete row' }).boundingBox()
  const save = await panel.getByRole('button', { name: 'Save' }).boundingBox()
  assert.ok(remove && save && remove.x + remove.width + 100 < save.x, JSON.stringify({ remove, save }))
  quiet()
})

browserTest('leaving a row that is being saved asks first, and its late response closes no other row', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'pets' })
  await company.call('POST', '/v1/api/custom-table-field', { tableId: table._id, name: 'kind', type: 'string' })
  for (const kind of ['dog', 'bird']) await company.call('POST', '/v1/api/custom-table-data/pets', { kind })
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of (409|412)|ERR_FAILED/,
  })
  let next = Promise.withResolvers<'refuse' | 'lose' | 'answer'>()
  await page.route('**/v1/api/custom-table-data/pets/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    const what = await next.promise
    if (what === 'answer') return route.continue()
    if (what === 'lose') return void (await route.fetch().then(() => route.abort()))
    await route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"message":"Not now."}' })
  })
  const row = page.getByRole('dialog', { name: 'Row' })
  const kind = row.getByRole('textbox', { name: 'kind' })
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await go(`/c/${company.id}/tables/${table._id.$oid}`)
  await page.getByRole('link', { name: 'dog' }).click()
  await kind.fill('hound')
  await kind.press('Enter')
  await kind.press('Escape')
  await question.getByRole('button', { name: 'Stay' }).click()
  next.resolve('refuse')
  await row.getByText('Not now.').waitFor()
  assert.equal(await kind.inputValue(), 'hound')

  // A write whose response was lost is not shown as a conflict.
  next = Promise.withResolvers()
  next.resolve('lose')
  await kind.press('Enter')
  await row.getByText('cannot be reached').waitFor()
  next = Promise.withResolvers()
  next.resolve('answer')
  await kind.press('Enter')
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'hound' }).click()
  next = Promise.withResolvers()
  await kind.fill('wolf')
  await kind.press('Enter')
  await kind.press('Escape')
  await question.getByRole('button', { name: 'Leave' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'bird' }).click()
  await kind.fill('eagle')
  next.resolve('answer')
  await page.getByRole('link', { name: 'wolf' }).waitFor({ state: 'attached' })
  await page.getByText('Saved', { exact: true }).last().waitFor()
  assert.equal(await kind.inputValue(), 'eagle')
  quiet()
})

browserTest('a table and a field that another user has changed in the meantime are not overwritten', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'pets' })
  const { body: field } = await company.call('POST', '/v1/api/custom-table-field', {
    tableId: table._id,
    name: 'age',
    type: 'number',
  })
  const tablePath = `/v1/api/custom-table/${table._id.$oid}`
  const fieldPath = `/v1/api/custom-table-field/${field._id.$oid}`
  const { page, go } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 412/,
  })
  const conflict = page.getByRole('dialog', { name: 'Changed since you opened it' })
  await go(`/c/${company.id}/tables/${table._id.$oid}?tab=settings`)
  await page.getByRole('textbox', { name: 'Description' }).fill('Mine')
  await company.call('PUT', tablePath, { description: 'Theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await conflict.getByText('Theirs').waitFor()
  assert.equal((await company.call('GET', tablePath)).body.description, 'Theirs')
  await conflict.getByRole('button', { name: 'Save chosen values' }).click()
  await conflict.waitFor({ state: 'detached' })
  assert.equal((await company.call('GET', tablePath)).body.description, 'Mine')

  await page.getByRole('tab', { name: 'Structure' }).click()
  await page.getByRole('button', { name: 'Edit age' }).click()
  const form = page.getByRole('dialog', { name: 'Field' })
  await form.getByRole('textbox', { name: 'Default value' }).fill('3')
  await company.call('PUT', fieldPath, { defaultValue: 5 })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await conflict.getByText('5', { exact: true }).waitFor()
  assert.equal((await company.call('GET', fieldPath)).body.defaultValue, '5')
  await conflict.getByRole('button', { name: 'Discard my changes' }).click()
  assert.equal(await form.getByRole('textbox', { name: 'Default value' }).inputValue(), '5')

  // Pressing Escape does not lose what is typed.
  await form.getByRole('textbox', { name: 'Default value' }).fill('7')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  assert.equal(await form.getByRole('textbox', { name: 'Default value' }).inputValue(), '7')
})

browserTest(
  'a reference column of a customer shows the name of its record, and another one is chosen by name',
  async () => {
    const company = await service.company()
    const [main, side] = await Promise.all(
      ['Main street', 'Side street'].map(async (name) => (await company.call('POST', '/v1/outlet', { name })).body),
    )
    const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'loyalty' })
    const field = { tableId: table._id, type: 'string' }
    for (const [name, referenceLinkedCollection] of [
      ['customer', 'customers'],
      ['joined-at', 'outlets'],
    ])
      await company.call('POST', '/v1/api/custom-table-field', { ...field, name, referenceLinkedCollection })
    const { body: customer } = await company.call('POST', '/v1/customer', {
      firstName: 'Ann',
      loyalty: { 'joined-at': main.id },
    })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    // A name that is read slowly replaces nothing that is typed.
    const typed = Promise.withResolvers<void>()
    await page.route(`**/v1/outlet/${main.id}`, async (route) => {
      await typed.promise
      await route.continue()
    })
    await go(`/c/${company.id}/customers/${customer.id}`)
    const input = page.getByRole('combobox', { name: 'Joined at' })
    await until('the field shows its value', async () => (await input.inputValue()) !== '')
    await input.fill('Side')
    const named = page.waitForResponse(`**/v1/outlet/${main.id}`)
    typed.resolve()
    await (await named).finished()
    await input.pressSequentially(' s')
    const option = page.getByRole('option', { name: 'Side street' })
    const choose = () => option.click({ timeout: 8_000 })
    // On a loaded machine a list may not be read in time: it is asked for again.
    await choose().catch(() => input.fill('Side').then(choose))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await input.inputValue(), 'Side street')
    const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
    assert.deepEqual(now.loyalty, { 'joined-at': side.id })
    quiet()
  },
)

browserTest('a table is deleted only after its name is typed', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/api/custom-table', { name: 'pets' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/tables/${table._id.$oid}?tab=settings`)
  await page.getByRole('button', { name: 'Delete table' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete pets?' })
  await dialog.getByRole('button', { name: 'Delete table' }).click()
  await dialog.getByText('Type “pets” exactly as shown.').waitFor()
  await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor()
  await dialog.getByRole('textbox').fill('pets')
  await dialog.getByRole('button', { name: 'Delete table' }).click()
  await page.getByRole('heading', { name: 'No custom tables yet' }).waitFor()
  assert.deepEqual((await company.call('GET', '/v1/api/custom-tables')).body, [])
  quiet()
})

browserTest('on a phone a table without a description leaves no gap for it', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/api/custom-table', { name: 'loyalty' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 390 })
  await go(`/c/${company.id}/tables`)
  const name = page.getByRole('link', { name: 'loyalty' })
  await name.waitFor()
  const above = await name.boundingBox()
  const below = await page.locator('td time').boundingBox()
  assert.equal(Math.round(below?.x ?? 0), Math.round(above?.x ?? 0))
  quiet()
})

browserTest('the name of a field is stored without spaces at its ends, which nobody sees', async () => {
  const company = await service.company()
  const table = (await company.call('POST', '/v1/api/custom-table', { name: 'pets' })).body._id.$oid
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /400/ })
  await go(`/c/${company.id}/tables/${table}?tab=structure`)
  await page.getByRole('button', { name: 'Add field' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  const add = () => dialog.getByRole('button', { name: 'Add field' }).click()
  await name.fill('  ')
  await add()
  await dialog.getByText('Some fields need attention.').waitFor()
  await name.fill(' size ')
  await add()
  await page.getByRole('rowheader', { name: 'size' }).waitFor()
  const { body } = await company.call('GET', `/v1/api/custom-table-fields?tableId=${table}`)
  assert.deepEqual(
    body.map((field: { name: string }) => field.name),
    ['size'],
  )
})

// Triggers and events in the browser: a failing webhook that is resent, a secret shown once, and a stream that misses nothing.
import assert from 'node:assert/strict'
import { Webhook } from 'standardwebhooks'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { receiver } from '../support/receiver.ts'
import { testService } from '../support/service.ts'

// Without retries, the first failed attempt fails the delivery.
const service = testService({ webhookAllow: ['127.0.0.0/8'], webhooks: { retryDelay: () => undefined } })
const browser = testBrowser(service)

browserTest('a failed webhook is shown, and resent once its receiver is back', async (t) => {
  const company = await service.company()
  let isBack = false
  const { url, received } = await receiver(t, (_, response) => {
    response.writeHead(isBack ? 200 : 500, { 'content-type': 'text/plain' }).end(isBack ? 'thanks' : 'Out for lunch')
  })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/automation`)
  await page.getByRole('link', { name: 'New trigger' }).click()
  await page.getByRole('combobox', { name: 'Events' }).fill('customer')
  await page.getByRole('option', { name: 'customer.*' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('To the CRM')
  await page.getByRole('textbox', { name: 'URL' }).fill(url)
  await page.getByRole('button', { name: 'Create trigger' }).click()
  const secret = (await page.getByRole('dialog', { name: 'Copy this secret now' }).locator('code').textContent()) ?? ''
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await accessible()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { level: 1, name: 'To the CRM' }).waitFor()
  assert.equal((await page.content()).includes(secret), false)

  await company.call('POST', '/v1/customer', { lastName: 'Archer' })
  await page.getByRole('link', { name: 'customer.created' }).click()
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await delivery.getByText('Failed').waitFor()
  await delivery.getByText('Out for lunch').waitFor()
  await delivery.getByText('"lastName": "Archer"').waitFor()
  await accessible()
  await page.keyboard.press('Escape')
  await page.getByText('Calls have failed since').waitFor()
  await page.getByText('Failing', { exact: true }).waitFor()
  await accessible()
  await page.getByRole('link', { name: 'Automation', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Automation' }).waitFor()
  await page.getByText('Failing', { exact: true }).waitFor()
  await accessible()
  await page.getByRole('link', { name: 'To the CRM' }).click()
  await page.getByRole('link', { name: 'customer.created' }).click()
  isBack = true
  await delivery.getByRole('button', { name: 'Resend' }).click()
  await delivery.getByText('Succeeded').waitFor()
  await delivery.getByText('thanks').waitFor()
  assert.equal(received.length, 2)
  for (const { headers, text } of received) new Webhook(secret).verify(text, headers as Record<string, string>)
  assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id'])
  await page.keyboard.press('Escape')
  await page.getByText('Calls have failed since').waitFor({ state: 'detached' })
  await page.getByText('On', { exact: true }).waitFor()
  quiet()
})

browserTest(
  'leaving while a new secret is being saved still shows the secret, and asks before it is left',
  async () => {
    const company = await service.company()
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/automation-trigger', async (route) => {
      await held.promise
      await route.continue()
    })
    await go(`/c/${company.id}/automation`)
    await page.getByRole('link', { name: 'New trigger' }).click()
    await page.getByRole('combobox', { name: 'Events' }).fill('customer')
    await page.getByRole('option', { name: 'customer.*' }).click()
    await page.getByRole('textbox', { name: 'URL' }).fill('https://crm.example.com/hook')
    await page.getByRole('button', { name: 'Create trigger' }).click()
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    held.resolve()
    const shown = page.getByRole('dialog', { name: 'Copy this secret now' })
    await shown.locator('code').getByText('whsec_').waitFor()
    await page.goBack()
    await question.getByRole('button', { name: 'Stay' }).click()
    await shown.getByRole('button', { name: 'I have copied it' }).click()
    await page.waitForURL(/\/automation\/[0-9a-f]{24}$/)
    quiet()
  },
)

browserTest('a new trigger has a secret, unless it is removed', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/automation/new`)
  await page.getByRole('combobox', { name: 'Events' }).fill('customer.created')
  await page.getByRole('textbox', { name: 'URL' }).fill('https://crm.example.com/hook')
  await page.getByText('Calls are signed with a new secret.').waitFor()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Calls are not signed').waitFor()
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await page.waitForURL(/\/automation\/[0-9a-f]{24}$/)
  const { body } = await company.call('GET', '/v1/automation-triggers')
  assert.equal(body.data[0].apiKey, undefined)
  quiet()
})

browserTest('the page of a trigger that never fires says so, with the type that was probably meant', async () => {
  const company = await service.company()
  const sent = { triggerType: 'sale.completed', triggerUrl: 'https://crm.example.com/hook' }
  const { body: trigger } = await company.call('POST', '/v1/automation-trigger', sent)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/automation/${trigger.id}`)
  const hint = page.getByText('No event has this type, so the trigger never fires; did you mean order.completed?')
  await hint.waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('combobox', { name: 'Events' }).fill('order.completed')
  await page.getByRole('button', { name: 'Save' }).click()
  await hint.waitFor({ state: 'detached' })
  quiet()
})

browserTest(
  'the page of a trigger that someone deletes ends, and a refused filter of events says what is right',
  async () => {
    const company = await service.company()
    const sent = { triggerType: 'customer.*', triggerUrl: 'https://crm.example.com/hook', customTriggerName: 'CRM' }
    const { body: trigger } = await company.call('POST', '/v1/automation-trigger', sent)
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 40[04]/ })
    await go(`/c/${company.id}/automation/${trigger.id}`)
    await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor()
    await company.call('DELETE', `/v1/automation-trigger/${trigger.id}`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await go(`/c/${company.id}/events`)
    const filter = page.getByPlaceholder('customer.*')
    await filter.fill('sale.created')
    await filter.press('Enter')
    await page.getByText('Is not an event type; did you mean order.created?', { exact: true }).waitFor()
    assert.equal(await page.getByText('Connecting…').count(), 0)
    quiet()
  },
)

browserTest('a refused filter of events is refused in German too', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 400/ })
  await go(`/c/${company.id}/events?type=sale.created`)
  await page.getByText('Das ist kein Ereignistyp. War order.created gemeint?').waitFor()
  await go(`/c/${company.id}/events?type=nonsense`)
  await page.getByText('Das ist kein Ereignistyp. Typen sehen so aus: customer.created oder customer.*').waitFor()
  await go(`/c/${company.id}/events?recordId=a,,b`)
  await page.getByText('Geben Sie höchstens 100 Ids an').waitFor()
  quiet()
})

browserTest('all deliveries that failed since a time are resent', async (t) => {
  const company = await service.company()
  let isBack = false
  const { url, received } = await receiver(t, (_, response) => response.writeHead(isBack ? 204 : 503).end())
  const { body: trigger } = await company.call('POST', '/v1/automation-trigger', {
    triggerType: 'outlet.created',
    triggerUrl: url,
  })
  for (const name of ['Harbour', 'Hill', 'Market']) await company.call('POST', '/v1/outlet', { name })
  await until('all three have failed', async () => {
    const log = `/v1/automation-trigger/${trigger.id}/deliveries?state=failed`
    return (await company.call('GET', log)).body.meta.count === 3
  })
  isBack = true
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/automation/${trigger.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Resend failed deliveries' }).click()
  await page.getByRole('radio', { name: 'An hour ago' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await page.getByText('3 deliveries are sent again.').waitFor()
  await until('all three come again', () => received.length === 6)
  await page.getByText('Succeeded', { exact: true }).nth(3).waitFor()
  quiet()
})

browserTest('a trigger cannot be switched off while its settings have unsaved changes', async () => {
  const company = await service.company()
  const { body: trigger } = await company.call('POST', '/v1/automation-trigger', {
    triggerType: 'outlet.created',
    triggerUrl: 'https://crm.example.com/hook',
  })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/automation/${trigger.id}?tab=settings`)
  await page.getByRole('textbox', { name: 'Name' }).fill('To the CRM')
  const switchOff = async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Switch off' }).click()
  }
  await switchOff()
  await page.getByText('The settings have unsaved changes.').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'To the CRM' }).waitFor()
  await switchOff()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('The trigger is off.').waitFor()
  quiet()
})

browserTest('the event stream is paused, and resumes with the events in between', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/events?type=outlet.*`)
  const list = page.getByRole('list', { name: 'Events, newest first' })
  await list.getByText('Harbour').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await company.call('POST', '/v1/outlet', { name: 'Hill' })
  await list.getByText('Hill').waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused').waitFor()
  await company.call('PATCH', `/v1/outlet/${outlet.id}`, { name: 'Old harbour' })
  await company.call('POST', '/v1/customer', { lastName: 'Archer' })
  await page.getByRole('button', { name: 'Resume' }).click()
  await list.getByRole('button', { name: /outlet\.updated/ }).click()
  const changed = page.getByRole('row', { name: /^Name/ })
  assert.deepEqual(await changed.locator('code').allInnerTexts(), ['Harbour', 'Old harbour'])
  assert.equal(await list.getByText('Archer').count(), 0)
  await accessible()
  quiet()
})

browserTest(
  'triggers are shown on their own pages, also under the name of their resource and by the search',
  async () => {
    const company = await service.company()
    const items = Array.from({ length: 30 }, (_, n) => ({
      triggerType: 'customer.*',
      customTriggerName: `To the CRM ${n}`,
      triggerUrl: 'http://127.0.0.1:9/hook',
    }))
    const { body } = await company.call('POST', '/v1/automation-triggers', { items })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const { id } = body.results[7].data
    await go(`/c/${company.id}/automation-triggers/${id}?tab=settings`)
    await page.waitForURL(`**/c/${company.id}/automation/${id}?tab=settings`)
    await page.getByRole('heading', { level: 1, name: 'To the CRM 7' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search', exact: true }).fill('crm')
    await page.getByRole('option', { name: 'See all automation triggers with “crm”' }).click()
    await page.getByRole('heading', { level: 1, name: 'Automation' }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'crm')
    await page.getByRole('searchbox').fill('CRM 29')
    await page.getByRole('link', { name: 'To the CRM 28' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'To the CRM 29' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'To the CRM 7' }).waitFor()
    quiet()
  },
)

// Jobs about the shop's people and systems: a viewer's day, a webhook that failed, and a new person.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Job, type Place } from './job.ts'
import type { Person } from './person.ts'
import { pressAll } from './press-all.ts'

const viewerDay: Job = {
  name: 'a viewer reads the overview, an order, a product and a report',
  async run(_, { as }) {
    const viewer = await as('viewer')
    const { page, click, see } = viewer
    const places: string[] = []
    const read = async () => {
      await page.waitForLoadState('networkidle')
      places.push(page.url())
    }
    await see(page.getByRole('heading', { level: 1 }))
    await read()
    await click(page.getByRole('link', { name: 'Orders', exact: true }))
    await click(page.getByRole('link', { name: /^R-/ }).first())
    await see(page.getByRole('heading', { level: 1, name: /R-/ }))
    await read()
    await click(page.getByRole('link', { name: 'Products', exact: true }))
    await click(page.getByRole('table').getByRole('link').first())
    await see(page.getByText('By outlet'))
    await read()
    await click(page.getByRole('link', { name: 'Reports' }))
    await see(page.getByRole('button', { name: 'Download CSV' }))
    await read()
    return async () => {
      const { pressed, refused } = await pressAll(page, places)
      expect('what a viewer can press and is refused', refused, [])
      process.stderr.write(`  The viewer can press ${pressed} things on the four pages; none is refused.\n`)
    }
  },
}

const CAUSE = 'The disk of the newsletter is full.'
let isBack = false
let received = 0
const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    received++
    response.writeHead(isBack ? 200 : 507, { 'content-type': 'text/plain' }).end(isBack ? 'thanks' : CAUSE)
  })
})

/** A trigger whose receiver fails, and an event for it. */
async function failWebhook({ shop: { send, customer } }: Place): Promise<void> {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiver.unref()
  const { port } = receiver.address() as AddressInfo
  await send('POST', '/v1/automation-trigger', {
    triggerType: 'customer.updated',
    triggerUrl: `http://127.0.0.1:${port}/`,
    customTriggerName: 'Newsletter',
  })
  await send('PATCH', `/v1/customer/${customer.id}`, { tags: ['regular'] })
}

const failedWebhook: Job = {
  name: 'a failed webhook is found, its cause is read, and it is sent again',
  prepare: failWebhook,
  async run({ page, click, see }, { shop: { send } }) {
    await click(page.getByRole('button', { name: 'Developers' }))
    await click(page.getByRole('link', { name: 'Automation' }))
    await click(page.getByRole('link', { name: 'Newsletter' }))
    await click(page.getByRole('link', { name: 'customer.updated' }))
    const delivery = page.getByRole('dialog', { name: 'Delivery' })
    await see(delivery.getByText(CAUSE).first())
    const before = received
    isBack = true
    await click(delivery.getByRole('button', { name: 'Resend' }))
    await see(delivery.getByText('Succeeded'))
    return async () => {
      expect('calls after it was sent again', received, before + 1)
      const { data } = await send('GET', '/v1/automation-triggers')
      const log = await send('GET', `/v1/automation-trigger/${data[0].id}/deliveries`)
      expect('the state of the delivery', log.data[0].state, 'succeeded')
    }
  },
}

const newPerson = 'sofia.berger@example.com'
const secret = 'four words of Sofia'

/** Gives a page a device that has passkeys and recognizes its user. */
async function withPasskeys({ page }: Person): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const invite: Job = {
  name: 'a person is invited, accepts by the link and adds a passkey',
  async run({ page, click, type }, { as }) {
    await click(page.getByRole('button', { name: 'Settings' }))
    await click(page.getByRole('link', { name: 'Members' }))
    await click(page.getByRole('button', { name: 'Invite member' }))
    await type(newPerson)
    await click(page.getByRole('dialog').getByRole('button', { name: 'Invite member' }))
    await click(page.getByRole('button', { name: 'Copy link' }))
    const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'))
    await click(page.getByRole('button', { name: 'Done' }))
    const guest = await as('stranger', link.pathname + link.hash)
    await withPasskeys(guest)
    await acceptAndAddPasskey(guest)
    return async () => {
      const read = (path: string) => guest.page.evaluate<any>(`fetch('${path}').then((response) => response.json())`)
      const { user, companies } = await read('/v1/console/sign-in')
      expect('the new user', user.email, newPerson)
      expect(
        'their roles',
        companies.map(({ role }: any) => role),
        ['viewer'],
      )
      expect('their passkeys', (await read('/v1/console/passkeys')).data.length, 1)
    }
  },
}

async function acceptAndAddPasskey({ page, click, fill, type, press, see }: Person): Promise<void> {
  await see(page.getByLabel('Your name'))
  await type('Sofia Berger')
  await fill(page.getByLabel('New password', { exact: true }), secret)
  await press('Enter')
  await see(page.getByRole('heading', { level: 1 }))
  await click(page.getByRole('button', { name: /Sofia Berger/ }))
  await click(page.getByRole('menuitem', { name: 'Your profile' }))
  await click(page.getByRole('button', { name: 'Add a passkey' }))
  await type(secret)
  await press('Enter')
  await see(page.getByText(/can sign you in now/))
}

export const running: readonly Job[] = [viewerDay, failedWebhook, invite]

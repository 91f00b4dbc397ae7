import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { runCampaigns } from '#app/features/campaigns/prepare-campaigns.server.ts'
import { sendDueMessages } from '#app/features/sms/deliver-messages.server.ts'
import { receiveText } from '#app/features/sms/receive-messages.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import { createCtx } from '#app/server/context.ts'
import { userPhones, smsConsents, smsMessages } from '#app/server/db/schema/messages.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { compareWithModel, createCommand, MODEL_TIMEOUT_MS, onlyIf, pick, readData } from './model.ts'

interface Reader {
  phone: string
  consents: boolean
  /** What became of the campaign's text to this reader. */
  text: 'none' | 'waiting' | 'sent' | 'skipped'
}
/** A campaign after the other to everybody who agreed, and what each of them gets: at most one text, and none after STOP. */
interface Model {
  day: number
  status: CampaignStatus
  /** When it is due. */
  sendOn: number
  readers: Reader[]
}
interface Real {
  site: Site
  api: ReturnType<typeof createApiClient>
  /** The present campaign. */
  id: string
}
type Command = fc.AsyncCommand<Model, Real>

let runtime: TestRuntime
// At noon in Toronto, outside the quiet hours; days pass whole.
const start = Date.parse('2026-06-01T16:30:00Z')
const dateOf = (day: number) => new Date(start + day * 86_400_000)
beforeAll(async () => {
  runtime = await createTestRuntime()
})

async function expectAgreement({ status, readers }: Model, { site, api, id }: Real): Promise<void> {
  const { attributes } = readData(await api.get(`/sms-campaigns/${id}`)) as {
    attributes: { status: string; counts: Record<string, number> }
  }
  expect(attributes.status).toBe(status)
  const texts = await createCtx(runtime, site).db.read((tx) => tx.select().from(smsMessages).where(eq(smsMessages.campaignId, id)))
  const shape = {
    waiting: 'waiting',
    accepted: 'sent',
    delivered: 'sent',
    skipped: 'skipped',
    failed: 'failed',
    sending: 'sending',
    received: '',
  }
  expect(texts.map((text) => `${text.phone} ${shape[text.status]}`).toSorted(), 'one text for each at most').toEqual(
    readers.flatMap(({ phone, text }) => (text === 'none' ? [] : [`${phone} ${text}`])).toSorted(),
  )
  if (status === 'done' || status === 'cancelled') {
    const { prepared = 0, accepted = 0, failed = 0, skipped = 0 } = attributes.counts
    expect(accepted + failed + skipped, 'once it is over, they add up').toBe(prepared)
  }
}

/** Writes a text for each reader who agrees and has none, when the campaign is due. */
function prepare(model: Model): void {
  if (model.status === 'scheduled' && model.sendOn <= model.day) model.status = 'preparing'
  if (model.status !== 'preparing') return
  for (const reader of model.readers) if (reader.consents && reader.text === 'none') reader.text = 'waiting'
  model.status = 'sending'
}

/** Hands over what waits, unless the campaign is held; consent is asked again. */
function deliver(model: Model): void {
  if (model.status !== 'sending') return
  for (const reader of model.readers) if (reader.text === 'waiting') reader.text = reader.consents ? 'sent' : 'skipped'
}

const close = (model: Model) => {
  if (model.status === 'sending' && model.readers.every(({ text }) => text !== 'waiting')) model.status = 'done'
}

let number = 0
const join = (): Command =>
  createCommand('a reader agrees', async (model, real) => {
    const { site } = real
    const { id: userId } = await addPerson(runtime, site)
    const phone = `+1613556${String(number++ % 10_000).padStart(4, '0')}`
    const key = { siteId: site.id }
    await createCtx(runtime, site).db.tx(async (tx) => {
      await tx.insert(userPhones).values({ ...key, userId, phone, confirmedAt: dateOf(0) })
      await tx.insert(smsConsents).values({
        ...key,
        id: createId(),
        phone,
        userId,
        given: true,
        words: 'Yes',
        language: 'en',
        source: 'account',
        at: dateOf(model.day),
      })
    })
    model.readers.push({ phone, consents: true, text: 'none' })
    await expectAgreement(model, real)
  })

const stop = (at: number): Command =>
  createCommand(
    `reader ${at} writes STOP`,
    async (model, real) => {
      const reader = pick(model.readers, at)
      if (!reader) return
      await sayStop(real.site, reader.phone)
      reader.consents = false
      await expectAgreement(model, real)
    },
    ({ readers }) => readers.length > 0,
  )

const sayStop = (site: Site, phone: string) =>
  receiveText(createCtx(runtime, site), 'sms-sandbox', { kind: 'text', providerId: createId(), phone, body: 'STOP' })

const edit = (): Command =>
  createCommand('edit', async (model, real) => {
    const { meta } = readData(await real.api.get(`/sms-campaigns/${real.id}`)) as { meta: { lockVersion: number } }
    const document = buildResourceDocument('sms-campaigns', { name: `Name ${++number}` }, { id: real.id, lockVersion: meta.lockVersion })
    expect((await real.api.patch(`/sms-campaigns/${real.id}`, document)).status).toBe(model.status === 'draft' ? 200 : 409)
    await expectAgreement(model, real)
  })

const send = (days: number): Command =>
  createCommand(`send in ${days} days`, async (model, real) => {
    const attributes = days > 0 ? { sendAt: dateOf(model.day + days).toISOString() } : {}
    const document = buildResourceDocument('sms-sendings', attributes, { to: { campaign: { type: 'sms-campaigns', id: real.id } } })
    const answer = await real.api.post('/sms-sendings', document)
    expect(answer.status, JSON.stringify(answer.body)).toBe(model.status === 'draft' ? 201 : 409)
    if (answer.status === 201) Object.assign(model, { status: 'scheduled', sendOn: model.day + days })
    await expectAgreement(model, real)
  })

const PAUSABLE: readonly CampaignStatus[] = ['preparing', 'sending', 'paused']
const pause = (paused: boolean): Command =>
  createCommand(paused ? 'pause' : 'resume', async (model, real) => {
    const document = buildResourceDocument('sms-sendings', { paused }, { id: real.id })
    const answer = await real.api.patch(`/sms-sendings/${real.id}`, document)
    const isHeld = model.status === 'paused'
    // A draft has no sending. To pause what is paused changes nothing; to resume what was never paused neither.
    if (model.status === 'draft') expect(answer.status).toBe(404)
    else if (paused) expect(answer.status).toBe(PAUSABLE.includes(model.status) ? 200 : 409)
    else expect(answer.status).toBe(200)
    if (paused && PAUSABLE.includes(model.status)) model.status = 'paused'
    if (!paused && isHeld) model.status = 'preparing'
    await expectAgreement(model, real)
  })

const cancel = (): Command =>
  createCommand('cancel', async (model, real) => {
    const answer = await real.api.delete(`/sms-sendings/${real.id}`)
    const isOpen = ['scheduled', ...PAUSABLE].includes(model.status)
    expect(answer.status).toBe(model.status === 'draft' ? 404 : isOpen ? 204 : 409)
    if (isOpen) {
      model.status = 'cancelled'
      for (const reader of model.readers) if (reader.text === 'waiting') reader.text = 'skipped'
    }
    await expectAgreement(model, real)
  })

const draft = async (api: Real['api']): Promise<string> => {
  const document = buildResourceDocument('sms-campaigns', { name: 'Open day', bodyTranslations: { en: 'Hello {{name}}' } })
  return (readData(await api.post('/sms-campaigns', document)) as { id: string }).id
}

const beginAnew = (): Command =>
  createCommand(
    'begin the next campaign',
    async (model, real) => {
      real.id = await draft(real.api)
      model.status = 'draft'
      for (const reader of model.readers) reader.text = 'none'
      await expectAgreement(model, real)
    },
    ({ status }) => status === 'done' || status === 'cancelled',
  )

const isOneOf =
  (...statuses: CampaignStatus[]) =>
  ({ status }: Readonly<Model>) =>
    statuses.includes(status)

const jobs: Record<string, { real: () => Promise<unknown>; model: (model: Model) => void }> = {
  'the campaign job': {
    real: () => runCampaigns(runtime),
    model: (model) => {
      const wasSending = model.status === 'sending'
      prepare(model)
      if (wasSending) close(model)
    },
  },
  'the sending job': { real: () => sendDueMessages(runtime), model: deliver },
}
const run = (name: string): Command =>
  createCommand(name, async (model, real) => {
    await jobs[name]?.real()
    jobs[name]?.model(model)
    await expectAgreement(model, real)
  })

const wait = (days: number): Command =>
  createCommand(`wait ${days} days`, async (model, real) => {
    model.day += days
    runtime.setNow(dateOf(model.day))
    await expectAgreement(model, real)
  })

test(
  'a campaign is scheduled, paused, resumed, cancelled and worked on in any order as the model says',
  async () => {
    await expect(
      compareWithModel<Model, Real>(
        async () => {
          runtime.setNow(dateOf(0))
          const site = await addSite(runtime, { slug: `c${createId()}`, languages: ['en'] })
          const key = { siteId: site.id }
          await createCtx(runtime, site).db.tx(async (tx) => {
            await tx.insert(siteFeatures).values({ ...key, name: 'marketplace_sms_integration', enabled: true })
            await tx.insert(installations).values({ ...key, id: createId(), integration: 'sms-sandbox', enabledAt: dateOf(0) })
          })
          const api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
          return { model: { day: 0, status: 'draft', sendOn: 0, readers: [] }, real: { site, api, id: await draft(api) } }
        },
        [
          fc.constant(null).map(join),
          fc.nat(9).map(stop),
          fc.constant(null).map(edit),
          fc.constantFrom(0, 0, 2).map(send),
          fc.constantFrom(true, false).map(pause),
          fc.constant(null).map(cancel),
          // Most of the steps are spent on what may be done.
          fc.constant(null).map(beginAnew),
          fc.constantFrom(0, 0, 2).map((days) => onlyIf(send(days), isOneOf('draft'))),
          fc.constantFrom(pause(true), pause(false)).map((command) => onlyIf(command, isOneOf('preparing', 'sending', 'paused'))),
          fc.constant(onlyIf(pause(false), isOneOf('paused'))),
          fc.constantFrom(...Object.keys(jobs)).map(run),
          fc.constantFrom(...Object.keys(jobs)).map(run),
          fc.constantFrom(...Object.keys(jobs)).map((name) => onlyIf(run(name), isOneOf('scheduled', 'preparing', 'sending', 'paused'))),
          fc.integer({ min: 1, max: 2 }).map(wait),
        ],
        { runs: 5, steps: 80 },
      ),
    ).resolves.toBeUndefined()
  },
  MODEL_TIMEOUT_MS,
)

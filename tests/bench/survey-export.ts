import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { queryAsOwner, callApi } from '#tests/support/remote-api.ts'
import { findChildren, readMemoryMb } from './city-data.ts'
import type { BenchSetup } from './setup.ts'
import { makeLargeSurvey } from './large-survey.ts'
import { type Measurement, roundTo } from './measurement.ts'

const RESPONSES = 200_000
const SHORT_RESPONSES = 20_000
const FORMATS = ['csv', 'xlsx', 'json', 'spss'] as const
const PROMISED = { seconds: 20, megabytes: 200 }
const CANCELLED_WITHIN_MS = 3000
const SAMPLE_MS = 100

type ExportState = { data: { id: string; attributes: { state: string; done: number; total: number; bytes: number | null } } }

/** A large survey as a file in each format, made in the background, and one export cancelled half-way. */
export const surveyExport: Measurement = {
  name: 'survey export',
  run: async (ground) => {
    const responses = ground.short ? SHORT_RESPONSES : RESPONSES
    const survey = await makeLargeSurvey(ground, responses)
    const values: Record<string, number> = { responses }
    const faults: string[] = []
    let most = 0
    let slowest = 0
    for (const format of FORMATS) {
      const made = await makeFile(ground, survey.id, format)
      values[`${format}Seconds`] = roundTo(made.seconds, 1)
      values[`${format}Megabytes`] = roundTo(made.megabytes, 0)
      values[`${format}ServingGrew`] = roundTo(made.grown, 0)
      if (made.steps < 2 && !ground.short) faults.push(`${format}: no progress was told`)
      most = Math.max(most, made.megabytes)
      slowest = Math.max(slowest, made.seconds)
    }
    if (slowest > PROMISED.seconds) faults.push(`a file took ${roundTo(slowest, 1)} s, more than the promised ${PROMISED.seconds}`)
    if (most > PROMISED.megabytes) faults.push(`a file took ${roundTo(most, 0)} MB, more than the promised ${PROMISED.megabytes}`)
    if (!ground.short) faults.push(...(await cancelFile(ground, survey.id)))
    const bare = await measureBareCopy(ground.databaseUrl, survey.id)
    return {
      summary: `${responses} responses of ${survey.questions} questions as a file, the slowest format, against reading the same rows by pg and leaving them as they are`,
      ratios: { time: roundTo(slowest / bare) },
      values: { ...values, bareSeconds: roundTo(bare, 1) },
      faults,
    }
  },
}

const requestFile = ({ product, administrator }: BenchSetup, survey: string, format: string) =>
  callApi<ExportState>(product, 'POST', '/exports', administrator, {
    data: { type: 'exports', attributes: { format }, relationships: { survey: { data: { type: 'surveys', id: survey } } } },
  })

/** Duration of an export, the memory of its process, the growth of the web process, and its steps. */
async function makeFile(ground: BenchSetup, survey: string, format: string) {
  const { pid } = ground.product.process
  const before = readMemoryMb(pid)
  let peak = 0
  let serving = before
  let begun = 0
  const seen = new Set<number>()
  const { data } = await requestFile(ground, survey, format)
  for (;;) {
    await wait(SAMPLE_MS)
    peak = Math.max(peak, ...findChildren(pid, 'make-exports').map(readMemoryMb))
    serving = Math.max(serving, readMemoryMb(pid))
    const { attributes } = (await callApi<ExportState>(ground.product, 'GET', `/exports/${data.id}`, ground.administrator)).data
    if (attributes.state !== 'waiting' && begun === 0) begun = performance.now()
    seen.add(attributes.done)
    if (attributes.state === 'failed') throw new Error(`The ${format} file failed`)
    if (attributes.state === 'done') {
      if (peak === 0) throw new Error('No process of its own made the file')
      return { seconds: (performance.now() - begun) / 1000, megabytes: peak, grown: serving - before, steps: seen.size }
    }
  }
}

/** Cancels an export half-way: its process must stop. */
async function cancelFile(ground: BenchSetup, survey: string): Promise<string[]> {
  const { data } = await requestFile(ground, survey, 'xlsx')
  const find = () =>
    queryAsOwner<{ state: string; done: number; alive: Date }>(
      ground.databaseUrl,
      'select state, done, alive_at as alive from survey_exports where id = $1',
      [data.id],
    )
  while ((await find())[0]?.done === 0) await wait(SAMPLE_MS)
  await fetch(`${ground.product.origin}/api/v2/exports/${data.id}`, {
    method: 'DELETE',
    headers: { 'x-api-token': `Bearer ${ground.administrator}` },
  })
  await wait(CANCELLED_WITHIN_MS)
  const [then] = await find()
  await wait(CANCELLED_WITHIN_MS)
  const [later] = await find()
  return then?.state === 'cancelled' && then.done === later?.done ? [] : ['a file that was called off is still made']
}

/** Reads every row once through the driver, in pages, without processing. */
async function measureBareCopy(url: string, survey: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const from = performance.now()
  try {
    await client.query('begin')
    await client.query(`declare rows cursor for select * from responses where survey_id = '${survey}' order by submitted_at, id`)
    while ((await client.query('fetch 1000 from rows')).rowCount) continue
    return (performance.now() - from) / 1000
  } finally {
    await client.end()
  }
}

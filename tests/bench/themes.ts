import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '#app/lib/random.ts'
import { readProcessorTime } from './processor-time.ts'
import { callApi, publishQuestions, queryAsOwner } from '#tests/support/remote-api.ts'
import { findChildren, readMemoryMb } from './city-data.ts'
import { GOALS } from './goals.ts'
import { type Measurement, roundTo } from './measurement.ts'
import type { BenchSetup } from './setup.ts'

const ANSWERS = 100_000
const SHORT_ANSWERS = 10_000
const ROWS_AT_ONCE = 5000
const SAMPLE_MS = 50
const CANCELLED_WITHIN_MS = 3000

interface Run {
  data: { id: string; attributes: { state: string; progress: number; texts: number | null; textsAlike: number | null } }
}

/** Themes suggested for the written answers to one question, twice, and once cancelled half-way. */
export const themes: Measurement = {
  name: 'themes',
  run: async (ground) => {
    const answers = ground.short ? SHORT_ANSWERS : ANSWERS
    const faults: string[] = []
    const question = await writeAnswers(ground, answers)
    const first = await suggest(ground, question)
    const again = await suggest(ground, question)
    if (JSON.stringify(first.found) !== JSON.stringify(again.found)) faults.push('the same answers gave other suggestions')
    if (first.found.length < 10) faults.push(`only ${first.found.length} themes were suggested`)
    if (first.texts !== answers) faults.push(`${first.texts} answers were read`)
    if (first.steps < 5) faults.push('no progress was told')
    faults.push(...(await cancelHalfWay(ground, question)))
    const milliseconds = Math.round(Math.max(first.seconds, again.seconds) * 1000)
    const megabytes = Math.max(first.megabytes, again.megabytes)
    const { withinMs = 0 } = GOALS['themes: time'] ?? {}
    const { withinMb = 0 } = GOALS['themes: memory'] ?? {}
    if (milliseconds > withinMs) faults.push(`${milliseconds} ms are more than ${withinMs}`)
    if (megabytes > withinMb) faults.push(`${megabytes} MB are more than ${withinMb}`)
    const summary = `Themes suggested for ${answers} written answers, by the job's own process`
    const values = { answers, themes: first.found.length, processorSeconds: roundTo(first.processorSeconds, 1), alike: first.textsAlike }
    const isFull = answers === ANSWERS
    return {
      summary,
      ratios: {},
      values: { ...values, milliseconds, megabytes },
      faults,
      // A short run says nothing about the goals.
      ...(isFull && {
        kinds: {
          'themes: time': { summary, ratios: {}, values: { ...values, milliseconds }, faults: [] },
          'themes: memory': { summary, ratios: {}, values: { ...values, megabytes }, faults: [] },
        },
      }),
    }
  },
}

interface Question {
  project: string
  source: string
}

/** As many answers as people give, in words of very different frequency, about forty subjects. */
async function writeAnswers(ground: BenchSetup, answers: number): Promise<Question> {
  const title = { en: 'What would you change?', 'fr-CA': 'Que changeriez-vous?' }
  const survey = await publishQuestions(ground.product, ground.administrator, [{ id: 'ideas', title, type: 'long_text' }])
  const random = createRandom('answers')
  const write = createWriter(random)
  for (let made = 0; made < answers; made += ROWS_AT_ONCE) {
    const texts = Array.from({ length: Math.min(ROWS_AT_ONCE, answers - made) }, write)
    await queryAsOwner(
      ground.databaseUrl,
      `insert into responses (site_id, id, survey_id, version, language, source, answers, receipt_hash, submitted_at, seconds, number)
       select s.site_id, uuidv7(), s.id, 1, 'en', 'web', jsonb_build_object('ideas', t.text), sha256((s.id || ($3::int + t.place)::text)::bytea),
         now() - interval '1 day' + ($3::int + t.place) * interval '1 millisecond', 60, $3::int + t.place - 1
       from surveys s, jsonb_array_elements_text($2::jsonb) with ordinality t(text, place) where s.id = $1`,
      [survey, JSON.stringify(texts), made],
    )
  }
  await queryAsOwner(ground.databaseUrl, 'update surveys set responses_count = $2, responses_numbered = $2 where id = $1', [
    survey,
    answers,
  ])
  await queryAsOwner(ground.databaseUrl, 'vacuum analyze responses')
  const [row] = await queryAsOwner<{ project: string }>(ground.databaseUrl, 'select project_id as project from surveys where id = $1', [
    survey,
  ])
  return { project: row?.project ?? '', source: `question:${survey}:ideas` }
}

function createWriter(random: Random): () => string {
  const syllables = [
    'ba',
    'cor',
    'den',
    'fil',
    'gar',
    'hom',
    'jel',
    'kin',
    'lor',
    'mun',
    'nes',
    'pol',
    'quin',
    'ras',
    'tem',
    'vor',
    'wes',
    'yar',
  ]
  const makeWord = () => Array.from({ length: random.int(2, 4) }, () => random.pick(syllables)).join('')
  const common = ['the', 'and', 'of', 'is', 'are', 'there', 'with', 'for', 'would', 'should', 'more', 'please', 'our', 'street', 'city']
  const vocabulary = Array.from({ length: 30_000 }, makeWord)
  const subjects = Array.from({ length: 40 }, () => Array.from({ length: 25 }, makeWord))
  // The first words of a list are used far more often than the last ones.
  const pickEarly = <T>(list: readonly T[]): T => list[Math.floor(list.length * random.next() ** 3)]!
  return () => {
    const subject = pickEarly(subjects)
    const sentences = Array.from({ length: random.int(1, 4) }, () =>
      Array.from({ length: random.int(5, 16) }, () => {
        if (random.chance(0.45)) return random.pick(common)
        return random.chance(0.45) ? pickEarly(subject) : pickEarly(vocabulary)
      }).join(' '),
    )
    return `${sentences.join('. ')}.`
  }
}

const requestRun = ({ product, administrator }: BenchSetup, { project, source }: Question) =>
  callApi<Run>(product, 'POST', '/theme-suggestion-runs', administrator, {
    data: {
      type: 'theme-suggestion-runs',
      attributes: { source, language: 'en' },
      relationships: { project: { data: { type: 'projects', id: project } } },
    },
  })

async function suggest(ground: BenchSetup, question: Question) {
  const { product, administrator } = ground
  const { data } = await requestRun(ground, question)
  let begun = 0
  let megabytes = 0
  let processorSeconds = 0
  const steps = new Set<number>()
  for (;;) {
    await wait(SAMPLE_MS)
    for (const child of findChildren(product.process.pid, 'suggest-themes')) {
      megabytes = Math.max(megabytes, readMemoryMb(child))
      processorSeconds = Math.max(processorSeconds, readProcessorTime([Number(child)]))
    }
    const { attributes } = (await callApi<Run>(product, 'GET', `/theme-suggestion-runs/${data.id}`, administrator)).data
    if (attributes.state !== 'waiting' && begun === 0) begun = performance.now()
    steps.add(attributes.progress)
    if (attributes.state === 'failed') throw new Error('The themes could not be suggested')
    if (attributes.state !== 'done') continue
    if (megabytes === 0) throw new Error('No process of its own suggested them')
    type Suggestions = { data: { attributes: { label: string[]; texts: number; passages: number } }[] }
    const list = await callApi<Suggestions>(
      product,
      'GET',
      `/theme-suggestions?filter%5Brun%5D=${data.id}&page%5Bsize%5D=100`,
      administrator,
    )
    const found = list.data.map(({ attributes: { label, texts, passages } }) => ({ label, texts, passages }))
    const { texts, textsAlike } = attributes
    return {
      seconds: (performance.now() - begun) / 1000,
      megabytes,
      processorSeconds,
      steps: steps.size,
      found,
      texts: texts ?? 0,
      textsAlike: textsAlike ?? 0,
    }
  }
}

async function cancelHalfWay(ground: BenchSetup, question: Question): Promise<string[]> {
  const { data } = await requestRun(ground, question)
  const read = async () =>
    (await callApi<Run>(ground.product, 'GET', `/theme-suggestion-runs/${data.id}`, ground.administrator)).data.attributes
  while ((await read()).progress === 0) await wait(SAMPLE_MS)
  await fetch(`${ground.product.origin}/api/v2/theme-suggestion-runs/${data.id}`, {
    method: 'DELETE',
    headers: { 'x-api-token': `Bearer ${ground.administrator}` },
  })
  await wait(CANCELLED_WITHIN_MS)
  const { state } = await read()
  const left = findChildren(ground.product.process.pid, 'suggest-themes').length
  return state === 'cancelled' && left === 0 ? [] : [`a run that was cancelled is ${state}, and ${left} processes are at work`]
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import type { Product } from './product.ts'

/** Uses the running product over HTTP only, like an external program; for benchmarks and fault tests. */
const JSON_API = 'application/vnd.api+json'

/** An API call that must succeed. */
export async function callApi<T>(product: Product, method: string, path: string, token?: string, document?: unknown): Promise<T> {
  const answer = await fetch(`${product.origin}/api/v2${path}`, {
    method,
    headers: {
      accept: JSON_API,
      ...(document === undefined ? {} : { 'content-type': JSON_API }),
      ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
    },
    ...(document === undefined ? {} : { body: JSON.stringify(document) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

/** Signs in a demo account. @returns its token */
export async function signInForToken(product: Product, email: string): Promise<string> {
  const document = { data: { type: 'sessions', attributes: { email, password: DEMO_PASSWORD } } }
  const { data } = await callApi<{ data: { attributes: { token: string } } }>(product, 'POST', '/sessions', undefined, document)
  return data.attributes.token
}

const inBothLanguages = (text: string) => ({ en: text, 'fr-CA': text })
const options = ['one', 'two', 'three', 'four'].map((id) => ({ id, label: inBothLanguages(id) }))
const KINDS = [
  { question: { type: 'one_choice', options }, answer: { choice: 'two' } },
  { question: { type: 'several_choices', options }, answer: { choices: ['one', 'three'] } },
  { question: { type: 'rating', scale: { max: 5, low: inBothLanguages('Low'), high: inBothLanguages('High') } }, answer: 4 },
  { question: { type: 'short_text', maxLength: 200 }, answer: 'Benches in the shade, please.' },
]
const TWELVE_SAMPLES = [...KINDS, ...KINDS, ...KINDS].map((kind, index) => ({ id: `q${index}`, ...kind }))
const QUESTIONS = TWELVE_SAMPLES.map(({ id, question }, index) => ({ id, title: inBothLanguages(`Question ${index + 1}`), ...question }))

/** An answer to each question of `makeSurvey`. */
export const ANSWERS: Record<string, unknown> = Object.fromEntries(TWELVE_SAMPLES.map(({ id, answer }) => [id, answer]))

/** Publishes a survey of twelve questions, open to anyone, in a demo project. @returns its id */
export const makeSurvey = (product: Product, token: string): Promise<string> => publishQuestions(product, token, QUESTIONS)

/** Publishes a survey of these questions on one page. @returns its id */
export async function publishQuestions(product: Product, token: string, questions: readonly object[]): Promise<string> {
  type One = { data: { id: string } }
  const projects = await callApi<{ data: { id: string }[] }>(product, 'GET', '/projects?filter%5Bstatus%5D=published', token)
  const project = { data: { type: 'projects', id: projects.data[0]?.id } }
  const definition = { schema: 1, pages: [{ id: 'page', questions }] }
  const attributes = { titleTranslations: inBothLanguages(`${questions.length} questions`), access: 'anyone', definition }
  const made = await callApi<One>(product, 'POST', '/surveys', token, {
    data: { type: 'surveys', attributes, relationships: { project } },
  })
  const relationships = { survey: { data: { type: 'surveys', id: made.data.id } } }
  await callApi<One>(product, 'POST', '/survey-versions', token, {
    data: { type: 'survey-versions', attributes: { waiveTranslations: true }, relationships },
  })
  return made.data.id
}

/** The document that submits a response under a client-chosen id. */
export const createResponseDocument = (surveyId: string, id: string) => ({
  data: {
    type: 'responses',
    id,
    attributes: { answers: ANSWERS, sendKey: 'known-to-the-sender-alone' },
    relationships: { survey: { data: { type: 'surveys', id: surveyId } } },
  },
})

export const SENDING_HEADERS = { accept: JSON_API, 'content-type': JSON_API }

/** Owner's connection string of a running product's embedded database: a superuser, to whom row-level security does not apply. */
export function getOwnerUrl(dataDir: string): string {
  const { databasePort } = JSON.parse(readFileSync(join(dataDir, 'parley.holder.json'), 'utf8')) as { databasePort: number }
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return `postgres://parley_owner:${password}@127.0.0.1:${databasePort}/parley`
}

export async function queryAsOwner<T extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Ids of a survey's responses in the database. */
export async function loadResponseIds(url: string, surveyId: string): Promise<string[]> {
  return (await queryAsOwner<{ id: string }>(url, 'select id from responses where survey_id = $1', [surveyId])).map(({ id }) => id)
}

import { queryAsOwner, publishQuestions } from '#tests/support/remote-api.ts'
import type { BenchSetup } from './setup.ts'

const inBothLanguages = (text: string) => ({ en: text, 'fr-CA': text })
const toItems = (...ids: string[]) => ids.map((id) => ({ id, label: inBothLanguages(id) }))
const ROWS_AT_ONCE = 50_000
const DAYS = 60

/** A question type, how many there are of it, and an answer as SQL; `r()` is a new random number each time. */
const KINDS: readonly { many: number; question: object; answer: string }[] = [
  {
    many: 9,
    question: { type: 'one_choice', options: toItems('a', 'b', 'c', 'd', 'e') },
    answer: `jsonb_build_object('choice', chr(97 + floor(r() * r() * 5)::int))`,
  },
  {
    many: 5,
    question: { type: 'several_choices', options: toItems('a', 'b', 'c', 'd', 'e') },
    answer: `case when r() < 0.5 then '{"choices":["a","c"]}' when r() < 0.5 then '{"choices":["b"]}' else '{"choices":["b","d","e"]}' end::jsonb`,
  },
  { many: 6, question: { type: 'rating', scale: { max: 5 } }, answer: `to_jsonb(1 + floor(r() * 5)::int)` },
  { many: 2, question: { type: 'number' }, answer: `to_jsonb(floor(r() * r() * 5000)::int)` },
  {
    many: 2,
    question: { type: 'likert', rows: toItems('w', 'x', 'y', 'z'), columns: toItems('no', 'so', 'yes') },
    answer: `jsonb_build_object('rows', jsonb_build_object('w', jsonb_build_array(case when r() < 0.4 then 'no' else 'yes' end), 'x', '["so"]'::jsonb, 'z', jsonb_build_array(case when r() < 0.7 then 'so' else 'yes' end)))`,
  },
  { many: 1, question: { type: 'ranking', options: toItems('a', 'b', 'c') }, answer: `'{"ranks":{"a":2,"b":1,"c":3}}'::jsonb` },
  {
    many: 1,
    question: { type: 'budget', options: toItems('a', 'b'), measure: 'points', total: 100 },
    answer: `(select jsonb_build_object('amounts', jsonb_build_object('a', s, 'b', 100 - s)) from (select floor(r() * 100)::int as s, i) share)`,
  },
  { many: 1, question: { type: 'date' }, answer: `to_jsonb(to_char(date '2026-01-01' + floor(r() * 300)::int, 'YYYY-MM-DD'))` },
  { many: 1, question: { type: 'yes_no' }, answer: `jsonb_build_object('choice', case when r() < 0.6 then 'yes' else 'no' end)` },
  {
    many: 2,
    question: { type: 'short_text', maxLength: 200 },
    answer: `to_jsonb('A bench in the shade near number ' || floor(r() * 9000)::int)`,
  },
]
const ASKED = KINDS.flatMap(({ many, ...kind }) => Array.from({ length: many }, () => kind)).map((kind, index) => ({
  id: `q${index}`,
  ...kind,
}))

export interface LargeSurvey {
  id: string
  questions: number
  /** Ids of the questions of a type. */
  ofType: (type: string) => string[]
  /** When the first and the last response were sent. */
  from: Date
  to: Date
}

/**
 * Creates a survey of thirty questions with this many responses over sixty days, directly in the database: sending them would take longer
 * than the measurement.
 */
export async function makeLargeSurvey(ground: BenchSetup, responses: number): Promise<LargeSurvey> {
  const id = await publishQuestions(
    ground.product,
    ground.administrator,
    ASKED.map((asked) => ({ id: asked.id, title: inBothLanguages(asked.id), ...asked.question })),
  )
  const to = new Date()
  const from = new Date(to.getTime() - DAYS * 86_400_000)
  const answers = ASKED.map((asked) => `'${asked.id}', ${asked.answer.replaceAll('r()', 'random()')}`).join(', ')
  for (let made = 0; made < responses; made += ROWS_AT_ONCE) {
    await queryAsOwner(
      ground.databaseUrl,
      `insert into responses (site_id, id, survey_id, version, language, source, answers, receipt_hash, submitted_at, seconds, number)
       select s.site_id, uuidv7(), s.id, 1, case when random() < 0.3 then 'fr-CA' else 'en' end, 'web', jsonb_build_object(${answers}),
              sha256((s.id || i::text)::bytea), $2::timestamptz + i * (interval '${DAYS} days' / $5), 60 + floor(random() * 600), i - 1
       from surveys s, generate_series($3::int, $4::int) i where s.id = $1`,
      [id, from, made + 1, Math.min(responses, made + ROWS_AT_ONCE), responses],
    )
  }
  await queryAsOwner(ground.databaseUrl, 'update surveys set responses_count = $2, responses_numbered = $2 where id = $1', [id, responses])
  await queryAsOwner(ground.databaseUrl, 'vacuum analyze responses')
  const ofType = (type: string) => ASKED.filter(({ question }) => 'type' in question && question.type === type).map((asked) => asked.id)
  return { id, questions: ASKED.length, ofType, from, to }
}

import type { Answer, Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { all } from '#tests/factories/surveys.ts'

const common = <T extends QuestionType>(type: T) => ({ id: type, type, title: all(`A question of type ${type}`) })
const items = (...ids: string[]) => ids.map((id) => ({ id, label: all(id) }))
const options = [...items('red', 'green', 'blue'), { id: 'say', label: all('Another'), other: true as const }]
const grid = { rows: items('park', 'pool'), columns: items('bad', 'fair', 'good') }

const bridge = { id: '019aa000-0000-7000-8000-000000000001', name: 'The bridge.jpg', type: 'image/jpeg', bytes: 1200 }

interface Sample<T extends QuestionType> {
  question: QuestionOf<T>
  /** An answer as it is kept, and the form that sends it: values by part of the field. */
  answer: Answer | undefined
  form: Record<string, string | string[]>
  /** Forms that are refused, each with the code of its fault and where it lies. */
  refused: [form: Record<string, string | string[]>, code: string, part?: string][]
}

/** A question of each type with what can be answered to it and what cannot. */
export const SAMPLES: { [T in QuestionType]: Sample<T> } = {
  short_text: {
    question: { ...common('short_text'), pattern: 'A999' },
    answer: 'K204',
    form: { '': 'K204' },
    refused: [
      [{ '': '204K' }, 'wrong-format'],
      [{ '': 'K2041' }, 'wrong-format'],
    ],
  },
  long_text: {
    question: { ...common('long_text'), maxLength: 20 },
    answer: 'Two\nlines',
    form: { '': 'Two\r\nlines' },
    refused: [[{ '': 'x'.repeat(21) }, 'too-long']],
  },
  one_choice: {
    question: { ...common('one_choice'), options },
    answer: { choice: 'say', other: 'Teal' },
    form: { '': 'say', other: 'Teal' },
    refused: [
      [{ '': 'pink' }, 'not-a-choice'],
      [{ '': 'say' }, 'required', 'other'],
    ],
  },
  several_choices: {
    question: { ...common('several_choices'), options, maxChoices: 2 },
    answer: { choices: ['red', 'blue'] },
    form: { '': ['blue', 'red'] },
    refused: [[{ '': ['red', 'green', 'blue'] }, 'too-many']],
  },
  dropdown: {
    question: { ...common('dropdown'), options },
    answer: { choice: 'red' },
    form: { '': 'red' },
    refused: [[{ '': 'say' }, 'required', 'other']],
  },
  yes_no: { question: common('yes_no'), answer: { choice: 'no' }, form: { '': 'no' }, refused: [[{ '': 'maybe' }, 'not-a-choice']] },
  picture_choice: {
    question: {
      ...common('picture_choice'),
      options: items('red', 'green').map((option) => ({ ...option, picture: { url: '/demo/riverbend/hero.svg', alt: all('X') } })),
    },
    answer: { choices: ['green'] },
    form: { '': 'green' },
    refused: [[{ '': ['red', 'green'] }, 'too-many']],
  },
  rating: {
    question: { ...common('rating'), look: 'stars', scale: { max: 5 } },
    answer: 4,
    form: { '': '4' },
    refused: [
      [{ '': '0' }, 'not-a-choice'],
      [{ '': '6' }, 'not-a-choice'],
    ],
  },
  scale: {
    question: { ...common('scale'), scale: { min: 0, max: 7 } },
    answer: 0,
    form: { '': '0' },
    refused: [[{ '': '8' }, 'not-a-choice']],
  },
  nps: { question: common('nps'), answer: 10, form: { '': '10' }, refused: [[{ '': '11' }, 'not-a-choice']] },
  likert: {
    question: { ...common('likert'), ...grid, required: true },
    answer: { rows: { park: ['good'], pool: ['bad'] } },
    form: { park: 'good', pool: 'bad' },
    refused: [
      [{ park: 'good' }, 'required', 'pool'],
      [{ park: 'great', pool: 'bad' }, 'not-a-choice'],
      [{}, 'required'],
    ],
  },
  matrix_one: {
    question: { ...common('matrix_one'), ...grid },
    answer: { rows: { pool: ['fair'] } },
    form: { pool: 'fair' },
    refused: [[{ park: ['bad', 'good'] }, 'too-many', 'park']],
  },
  matrix_several: {
    question: { ...common('matrix_several'), ...grid },
    answer: { rows: { park: ['bad', 'good'] } },
    form: { park: ['good', 'bad'] },
    refused: [[{ park: 'great' }, 'not-a-choice']],
  },
  ranking: {
    question: { ...common('ranking'), options: items('red', 'green', 'blue'), required: true },
    answer: { ranks: { blue: 1, red: 2, green: 3 } },
    form: { red: '2', green: '3', blue: '1' },
    refused: [
      [{ red: '1', green: '1', blue: '2' }, 'taken', 'green'],
      [{ red: '1', green: '2' }, 'required', 'blue'],
      [{ red: '9', green: '2', blue: '1' }, 'out-of-range', 'red'],
    ],
  },
  number: {
    question: { ...common('number'), min: 0, max: 2000, decimals: 1 },
    answer: 1200.5,
    form: { '': '1,200.5' },
    refused: [
      [{ '': 'many' }, 'not-a-number'],
      [{ '': '-1' }, 'out-of-range'],
      [{ '': '1.25' }, 'wrong-format'],
    ],
  },
  slider: {
    question: { ...common('slider'), min: 0, max: 100, step: 5 },
    answer: 35,
    form: { '': '35' },
    refused: [
      [{ '': '36' }, 'not-a-choice'],
      [{ '': '105' }, 'out-of-range'],
    ],
  },
  budget: {
    question: { ...common('budget'), options: items('red', 'green'), measure: 'percent', total: 100 },
    answer: { amounts: { red: 60, green: 40 } },
    form: { red: '60 %', green: '40' },
    refused: [
      [{ red: '60', green: '39' }, 'wrong-total'],
      [{ red: 'half' }, 'not-a-number', 'red'],
      [{ red: '140', green: '-40' }, 'out-of-range', 'green'],
    ],
  },
  date: {
    question: { ...common('date'), earliest: '2026-01-01' },
    answer: '2026-03-07',
    form: { '-day': '7', '-month': '3', '-year': '2026' },
    refused: [
      [{ '-day': '31', '-month': '2', '-year': '2026' }, 'not-a-date'],
      [{ '-day': '7' }, 'not-a-date'],
      [{ '-day': '7', '-month': '3', '-year': '2025' }, 'out-of-range'],
    ],
  },
  time: {
    question: common('time'),
    answer: '14:30',
    form: { '': '2:30 p.m.' },
    refused: [
      [{ '': '25:00' }, 'wrong-format'],
      [{ '': 'noon' }, 'wrong-format'],
    ],
  },
  email: {
    question: common('email'),
    answer: 'ana@example.org',
    form: { '': ' ana@example.org ' },
    refused: [[{ '': 'ana@example' }, 'not-an-email']],
  },
  phone: {
    question: common('phone'),
    answer: '+1 902-555-0142 ext 3',
    form: { '': '+1 902-555-0142 ext 3' },
    refused: [
      [{ '': '12' }, 'wrong-format'],
      [{ '': 'call me' }, 'wrong-format'],
    ],
  },
  address: {
    question: { ...common('address'), ask: 'address', required: true },
    answer: { address: { street: '1 Elm St', town: 'Riverbend', postcode: 'B3H 1A1' } },
    form: { street: '1 Elm St', town: 'Riverbend', postcode: 'b3h 1a1' },
    refused: [
      [{ street: '1 Elm St', town: 'Riverbend' }, 'required', 'postcode'],
      [{ street: '1', town: 'R', postcode: '?' }, 'wrong-format', 'postcode'],
    ],
  },
  place: {
    question: common('place'),
    answer: { place: { address: 'The bridge', lat: 44.6, lng: -63.5 } },
    form: { address: 'The bridge', lat: '44.6', lng: '-63,5' },
    refused: [
      [{ lat: '44.6' }, 'required', 'lng'],
      [{ lat: '91', lng: '0' }, 'out-of-range', 'lat'],
    ],
  },
  file: {
    question: { ...common('file'), kinds: ['picture', 'pdf'], maxFiles: 1, maxMegabytes: 2 },
    answer: { files: [bridge] },
    form: { '': JSON.stringify(bridge), kept: JSON.stringify([{ ...bridge, more: 'nothing' }]) },
    refused: [
      [{ '': [JSON.stringify(bridge), JSON.stringify({ ...bridge, id: '019aa000-0000-7000-8000-000000000002' })] }, 'too-many'],
      [{ '': JSON.stringify({ ...bridge, bytes: 2_000_001 }) }, 'file-too-large'],
    ],
  },
  consent: {
    question: { ...common('consent'), required: true },
    answer: { choice: 'yes' },
    form: { '': 'yes' },
    refused: [
      [{}, 'required'],
      [{ '': 'no' }, 'not-a-choice'],
    ],
  },
  demographic: {
    question: { ...common('demographic'), options, bank: 'age' },
    answer: { choice: 'red' },
    form: { '': 'red' },
    refused: [[{ '': 'pink' }, 'not-a-choice']],
  },
  info: { question: { ...common('info'), text: all('Read this.') }, answer: undefined, form: { '': 'x' }, refused: [] },
}

export const sampleQuestions = (): Question[] => Object.values(SAMPLES).map(({ question }) => question)

import type { Answer, Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'

const commonFields = <T extends QuestionType>(type: T) => ({ id: type, type, title: inAllLanguages(`A question of type ${type}`) })
export const createItems = (...ids: string[]) => ids.map((id) => ({ id, label: inAllLanguages(id) }))
const options = [...createItems('red', 'green', 'blue'), { id: 'say', label: inAllLanguages('Another'), other: true as const }]
const grid = { rows: createItems('park', 'pool'), columns: createItems('bad', 'fair', 'good') }

const bridge = { id: '019aa000-0000-7000-8000-000000000001', name: 'The bridge.jpg', type: 'image/jpeg', bytes: 1200 }

interface Sample<T extends QuestionType> {
  question: QuestionOf<T>
  /** A valid answer as stored, and the form that submits it: values by part of the field. */
  answer: Answer | undefined
  form: Record<string, string | string[]>
  /** Forms that are refused, each with its error code and place. */
  refused: [form: Record<string, string | string[]>, code: string, part?: string][]
}

/** A question of each type, with valid and invalid answers. */
export const SAMPLES: { [T in QuestionType]: Sample<T> } = {
  short_text: {
    question: { ...commonFields('short_text'), pattern: 'A999' },
    answer: 'K204',
    form: { '': 'K204' },
    refused: [
      [{ '': '204K' }, 'wrong-format'],
      [{ '': 'K2041' }, 'wrong-format'],
    ],
  },
  long_text: {
    question: { ...commonFields('long_text'), maxLength: 20 },
    answer: 'Two\nlines',
    form: { '': 'Two\r\nlines' },
    refused: [[{ '': 'x'.repeat(21) }, 'too-long']],
  },
  one_choice: {
    question: { ...commonFields('one_choice'), options },
    answer: { choice: 'say', other: 'Teal' },
    form: { '': 'say', other: 'Teal' },
    refused: [
      [{ '': 'pink' }, 'not-a-choice'],
      [{ '': 'say' }, 'required', 'other'],
    ],
  },
  several_choices: {
    question: { ...commonFields('several_choices'), options, maxChoices: 2 },
    answer: { choices: ['red', 'blue'] },
    form: { '': ['blue', 'red'] },
    refused: [[{ '': ['red', 'green', 'blue'] }, 'too-many']],
  },
  dropdown: {
    question: { ...commonFields('dropdown'), options },
    answer: { choice: 'red' },
    form: { '': 'red' },
    refused: [[{ '': 'say' }, 'required', 'other']],
  },
  yes_no: { question: commonFields('yes_no'), answer: { choice: 'no' }, form: { '': 'no' }, refused: [[{ '': 'maybe' }, 'not-a-choice']] },
  picture_choice: {
    question: {
      ...commonFields('picture_choice'),
      options: createItems('red', 'green').map((option) => ({
        ...option,
        picture: { url: '/demo/riverbend/hero.svg', alt: inAllLanguages('X') },
      })),
    },
    answer: { choices: ['green'] },
    form: { '': 'green' },
    refused: [[{ '': ['red', 'green'] }, 'too-many']],
  },
  rating: {
    question: { ...commonFields('rating'), look: 'stars', scale: { max: 5 } },
    answer: 4,
    form: { '': '4' },
    refused: [
      [{ '': '0' }, 'not-a-choice'],
      [{ '': '6' }, 'not-a-choice'],
    ],
  },
  scale: {
    question: { ...commonFields('scale'), scale: { min: 0, max: 7 } },
    answer: 0,
    form: { '': '0' },
    refused: [[{ '': '8' }, 'not-a-choice']],
  },
  nps: { question: commonFields('nps'), answer: 10, form: { '': '10' }, refused: [[{ '': '11' }, 'not-a-choice']] },
  likert: {
    question: { ...commonFields('likert'), ...grid, required: true },
    answer: { rows: { park: ['good'], pool: ['bad'] } },
    form: { park: 'good', pool: 'bad' },
    refused: [
      [{ park: 'good' }, 'required', 'pool'],
      [{ park: 'great', pool: 'bad' }, 'not-a-choice'],
      [{}, 'required'],
    ],
  },
  matrix_one: {
    question: { ...commonFields('matrix_one'), ...grid },
    answer: { rows: { pool: ['fair'] } },
    form: { pool: 'fair' },
    refused: [[{ park: ['bad', 'good'] }, 'too-many', 'park']],
  },
  matrix_several: {
    question: { ...commonFields('matrix_several'), ...grid },
    answer: { rows: { park: ['bad', 'good'] } },
    form: { park: ['good', 'bad'] },
    refused: [[{ park: 'great' }, 'not-a-choice']],
  },
  ranking: {
    question: { ...commonFields('ranking'), options: createItems('red', 'green', 'blue'), required: true },
    answer: { ranks: { blue: 1, red: 2, green: 3 } },
    form: { red: '2', green: '3', blue: '1' },
    refused: [
      [{ red: '1', green: '1', blue: '2' }, 'taken', 'green'],
      [{ red: '1', green: '2' }, 'required', 'blue'],
      [{ red: '9', green: '2', blue: '1' }, 'out-of-range', 'red'],
    ],
  },
  number: {
    question: { ...commonFields('number'), min: 0, max: 2000, decimals: 1 },
    answer: 1200.5,
    form: { '': '1,200.5' },
    refused: [
      [{ '': 'many' }, 'not-a-number'],
      [{ '': '-1' }, 'out-of-range'],
      [{ '': '1.25' }, 'wrong-format'],
    ],
  },
  slider: {
    question: { ...commonFields('slider'), min: 0, max: 100, step: 5 },
    answer: 35,
    form: { '': '35' },
    refused: [
      [{ '': '36' }, 'not-a-choice'],
      [{ '': '105' }, 'out-of-range'],
    ],
  },
  budget: {
    question: { ...commonFields('budget'), options: createItems('red', 'green'), measure: 'percent', total: 100 },
    answer: { amounts: { red: 60, green: 40 } },
    form: { red: '60 %', green: '40' },
    refused: [
      [{ red: '60', green: '39' }, 'wrong-total'],
      [{ red: 'half' }, 'not-a-number', 'red'],
      [{ red: '140', green: '-40' }, 'out-of-range', 'green'],
    ],
  },
  date: {
    question: { ...commonFields('date'), earliest: '2026-01-01' },
    answer: '2026-03-07',
    form: { '-day': '7', '-month': '3', '-year': '2026' },
    refused: [
      [{ '-day': '31', '-month': '2', '-year': '2026' }, 'not-a-date'],
      [{ '-day': '7' }, 'not-a-date'],
      [{ '-day': '7', '-month': '3', '-year': '2025' }, 'out-of-range'],
    ],
  },
  time: {
    question: commonFields('time'),
    answer: '14:30',
    form: { '': '2:30 p.m.' },
    refused: [
      [{ '': '25:00' }, 'wrong-format'],
      [{ '': 'noon' }, 'wrong-format'],
    ],
  },
  email: {
    question: commonFields('email'),
    answer: 'ana@example.org',
    form: { '': ' ana@example.org ' },
    refused: [[{ '': 'ana@example' }, 'not-an-email']],
  },
  phone: {
    question: commonFields('phone'),
    answer: '+1 902-555-0142 ext 3',
    form: { '': '+1 902-555-0142 ext 3' },
    refused: [
      [{ '': '12' }, 'wrong-format'],
      [{ '': 'call me' }, 'wrong-format'],
    ],
  },
  address: {
    question: { ...commonFields('address'), ask: 'address', required: true },
    answer: { address: { street: '1 Elm St', town: 'Riverbend', postcode: 'B3H 1A1' } },
    form: { street: '1 Elm St', town: 'Riverbend', postcode: 'b3h 1a1' },
    refused: [
      [{ street: '1 Elm St', town: 'Riverbend' }, 'required', 'postcode'],
      [{ street: '1', town: 'R', postcode: '?' }, 'wrong-format', 'postcode'],
    ],
  },
  place: {
    question: commonFields('place'),
    answer: { place: { address: 'The bridge', lat: 44.6, lng: -63.5 } },
    form: { address: 'The bridge', lat: '44.6', lng: '-63,5' },
    refused: [
      [{ lat: '44.6' }, 'required', 'lng'],
      [{ lat: '91', lng: '0' }, 'out-of-range', 'lat'],
    ],
  },
  file: {
    question: { ...commonFields('file'), kinds: ['picture', 'pdf'], maxFiles: 1, maxMegabytes: 2 },
    answer: { files: [bridge] },
    form: { '': JSON.stringify(bridge), kept: JSON.stringify([{ ...bridge, more: 'nothing' }]) },
    refused: [
      [{ '': [JSON.stringify(bridge), JSON.stringify({ ...bridge, id: '019aa000-0000-7000-8000-000000000002' })] }, 'too-many'],
      [{ '': JSON.stringify({ ...bridge, bytes: 2_000_001 }) }, 'file-too-large'],
    ],
  },
  consent: {
    question: { ...commonFields('consent'), required: true },
    answer: { choice: 'yes' },
    form: { '': 'yes' },
    refused: [
      [{}, 'required'],
      [{ '': 'no' }, 'not-a-choice'],
    ],
  },
  demographic: {
    question: { ...commonFields('demographic'), options, bank: 'age' },
    answer: { choice: 'red' },
    form: { '': 'red' },
    refused: [[{ '': 'pink' }, 'not-a-choice']],
  },
  info: { question: { ...commonFields('info'), text: inAllLanguages('Read this.') }, answer: undefined, form: { '': 'x' }, refused: [] },
}

export const listSampleQuestions = (): Question[] => Object.values(SAMPLES).map(({ question }) => question)

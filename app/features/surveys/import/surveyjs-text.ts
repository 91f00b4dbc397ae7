import { MAX_TEXT_LENGTH } from '../questionnaire/answer-limits.ts'
import type { Question } from '../surveys.schema.ts'
import { convertPattern } from './convert-pattern.ts'
import type { CommonFields } from './surveyjs-source.ts'
import type { SurveyDraftBuilder } from './survey-draft-builder.ts'
import type { TrackedRecord } from './tracked-record.ts'

/** What a text field's own settings and its validators ask for. */
interface Rules {
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  isEmail?: true
}

/** A field of SurveyJS: one line, several, a number, a date, depending on its input type and mask. */
export function createTextField(
  element: TrackedRecord,
  type: 'text' | 'comment' | 'slider',
  common: CommonFields,
  drafting: SurveyDraftBuilder,
): Question {
  const rules = readRules(element, drafting)
  if (type === 'comment') return { ...common, type: 'long_text', ...readLengths(rules, MAX_TEXT_LENGTH.long_text) }
  const inputType = element.text('inputType') || element.text('cellType')
  if (type === 'slider' || inputType === 'range') return createSlider(element, common, rules)
  switch (rules.isEmail ? 'email' : inputType) {
    case 'number':
      return createNumber(element, common, rules)
    case 'email':
      return { ...common, type: 'email' }
    case 'tel':
      return { ...common, type: 'phone' }
    case 'datetime-local':
    case 'datetime':
      drafting.note('type-changed', inputType)
      return createDate(element, common, drafting)
    case 'date':
      return createDate(element, common, drafting)
    case 'time':
      return { ...common, type: 'time' }
    default:
      return createShortText(element, common, rules, drafting)
  }
}

function createShortText(element: TrackedRecord, common: CommonFields, rules: Rules, drafting: SurveyDraftBuilder): Question {
  const inputType = element.text('inputType')
  if (inputType && inputType !== 'text') drafting.note('became-text', inputType)
  const mask = element.text('maskType')
  const [settings] = element.records('maskSettings')
  if ((mask === 'numeric' || mask === 'currency') && settings) return createNumber(settings, common, rules)
  const pattern = mask === 'pattern' ? convertMask(settings?.text('pattern') ?? '') : rules.pattern
  if (mask && mask !== 'none' && pattern === undefined) drafting.note('setting-left-out', `maskType: ${mask}`)
  return { ...common, type: 'short_text', ...readLengths(rules, MAX_TEXT_LENGTH.short_text), ...(pattern !== undefined && { pattern }) }
}

/** In SurveyJS `9` is a digit, `a` a letter, `#` either, and `\` keeps the next sign. */
function convertMask(mask: string): string | undefined {
  if (mask === '' || mask.length > 60 || mask.includes('\\')) return undefined
  return Array.from(mask, (sign) => (sign === 'a' ? 'A' : sign === '#' ? '*' : sign)).join('')
}

function createNumber(element: TrackedRecord, common: CommonFields, rules: Rules): Question {
  const [min, max] = [rules.min ?? element.number('min'), rules.max ?? element.number('max')]
  const step = element.number('step')
  const places =
    element.number('precision') ?? (step !== undefined && !Number.isInteger(step) ? (String(step).split('.')[1]?.length ?? 2) : undefined)
  return {
    ...common,
    type: 'number',
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(places !== undefined && places > 0 && { decimals: Math.min(6, Math.round(places)) }),
  }
}

function createSlider(element: TrackedRecord, common: CommonFields, rules: Rules): Question {
  const [min, max] = [rules.min ?? element.number('min') ?? 0, rules.max ?? element.number('max') ?? 100]
  const step = element.number('step')
  return { ...common, type: 'slider', min, max, ...(step !== undefined && step > 0 && { step }) }
}

function createDate(element: TrackedRecord, common: CommonFields, drafting: SurveyDraftBuilder): Question {
  const [earliest, latest] = ['min', 'max'].map((name) => {
    const value = element.text(name).slice(0, 10)
    if (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))) return value
    if (value) drafting.note('setting-left-out', `${name}: ${value}`)
    return undefined
  })
  return { ...common, type: 'date', ...(earliest && { earliest }), ...(latest && { latest }) }
}

function readRules(element: TrackedRecord, drafting: SurveyDraftBuilder): Rules {
  const rules: Rules = {}
  const length = element.number('maxLength')
  if (length !== undefined && length > 0) rules.maxLength = length
  for (const validator of element.records('validators')) {
    const type = validator.text('type').replace(/validator$/, '')
    if (type === 'email') rules.isEmail = true
    else if (type === 'numeric') Object.assign(rules, omitMissing({ min: validator.number('minValue'), max: validator.number('maxValue') }))
    else if (type === 'text')
      Object.assign(rules, omitMissing({ minLength: validator.number('minLength'), maxLength: validator.number('maxLength') }))
    else if (type === 'regex') {
      const expression = validator.text('regex')
      const pattern = convertPattern(expression)
      if (pattern === undefined) drafting.note('setting-left-out', `regex: ${expression}`)
      else rules.pattern = pattern
    } else drafting.note('setting-left-out', `validators: ${type}`)
  }
  return rules
}

const omitMissing = (rules: Record<string, number | undefined>) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined))

function readLengths({ minLength, maxLength }: Rules, longest: number) {
  return {
    ...(minLength !== undefined && minLength > 0 && { minLength: Math.min(longest, Math.round(minLength)) }),
    ...(maxLength !== undefined && { maxLength: Math.min(longest, Math.round(maxLength)) }),
  }
}

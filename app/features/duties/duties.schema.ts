import * as v from 'valibot'
import { DUTIES, type Duty, type DutyAct, type DutyRules } from '#app/lib/vocabulary/duties.ts'

export const MAX_DUTY_TEXT = 10_000
export const MAX_DUTY_REASON = 2000

/** Why something is published although a duty is not met. */
export const dutyReasonSchema = v.pipe(v.string(), v.trim(), v.maxLength(MAX_DUTY_REASON))

/** What is known of a project’s duties. */
export interface DutyFacts {
  openToChange: string
  notOpen: string
  reasons: string
  equality: string
  welshEffects: string
  /** Whether the chosen questions are still asked. */
  asksEffects: boolean
  asksImprovements: boolean
  documents: number
  /** Days from its opening, or its publication if that is later, until it closes; null without an end. */
  daysOpen: number | null
  decisions: number
  /** What people wrote, and how much of it was read. */
  texts: number
  textsRead: number
}

const WELSH: ReadonlySet<Duty> = new Set(['welsh-effects', 'welsh-questions'])

const CHECKS: Record<Duty, (facts: DutyFacts, minimumDays: number) => boolean> = {
  'open-to-change': ({ openToChange, notOpen }) => isWritten(openToChange) && isWritten(notOpen),
  reasons: ({ reasons, documents }) => isWritten(reasons) && documents > 0,
  time: ({ daysOpen }, minimumDays) => daysOpen !== null && daysOpen >= minimumDays,
  decisions: ({ decisions, texts, textsRead }) => decisions > 0 && textsRead >= texts,
  equality: ({ equality }) => isWritten(equality),
  'welsh-effects': ({ welshEffects }) => isWritten(welshEffects),
  'welsh-questions': ({ asksEffects, asksImprovements }) => asksEffects && asksImprovements,
}

const isWritten = (text: string): boolean => text.trim() !== ''

/** The duties that a site keeps, each with whether a project meets it. */
export const checkDuties = (rules: DutyRules, facts: DutyFacts, minimumDays: number): { duty: Duty; isMet: boolean }[] =>
  rules === 'none'
    ? []
    : DUTIES.filter((duty) => rules === 'gunning-welsh' || !WELSH.has(duty)).map((duty) => ({
        duty,
        isMet: CHECKS[duty](facts, minimumDays),
      }))

/** Duties to meet before something is published: nothing is decided yet when a project is. */
export const findMissingDuties = (act: DutyAct, ...checked: Parameters<typeof checkDuties>): Duty[] =>
  checkDuties(...checked)
    .filter(({ duty, isMet }) => !isMet && (act === 'decisions' || duty !== 'decisions'))
    .map(({ duty }) => duty)

/** The rules that a new site starts with, by its country and languages. */
export function chooseDuties(region: string, languages: readonly string[]): DutyRules {
  if (region !== 'United Kingdom') return 'none'
  return languages.includes('cy') ? 'gunning-welsh' : 'gunning'
}

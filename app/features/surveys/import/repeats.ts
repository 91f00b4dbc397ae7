import type { Condition } from '../questionnaire/conditions.schema.ts'
import { joinAll } from './build-condition.ts'
import { ADD_ANOTHER_LABEL, ADD_FIRST_LABEL } from './own-labels.ts'
import type { SurveyDraftBuilder, TextByLanguage } from './survey-draft-builder.ts'

/** How often a part of a file can be answered. */
export interface Repeat {
  /** Number of copies that are always asked. */
  always: number
  /** Undefined if there is no limit. */
  most: number | undefined
}

/** Number of copies if the file sets no maximum. */
const USUAL_COPIES = 5
const MOST_COPIES = 10
/** Upper bound for the questions of all copies together. People give up on longer surveys. */
const MOST_QUESTIONS = 100

/** @param questions how many are asked in each copy, in all copies of the repeats around it */
export function countCopies({ always, most }: Repeat, questions: number): number {
  const wanted = most === undefined ? USUAL_COPIES : Math.min(most, MOST_COPIES)
  return Math.max(1, Math.min(Math.max(wanted, Math.min(always, MOST_COPIES)), Math.floor(MOST_QUESTIONS / Math.max(1, questions))))
}

interface Copy {
  /** From 1. */
  number: number
  showIf: Condition | undefined
}

interface Repeated {
  name: string
  repeat: Repeat
  copies: number
  /** When the first is asked. */
  showIf: Condition | undefined
  /** The words of the file's button for one more. */
  said?: TextByLanguage
  /** Where the report speaks of it. */
  reopen: () => void
}

/**
 * The copies of what repeats, one by one. Each that is not always asked is asked if the question before it was answered with yes: whether there
 * is one more. Continue with the next copy after everything in the last one was added.
 */
export function* eachCopy(drafting: SurveyDraftBuilder, { name, repeat, copies, showIf, said = {}, reopen }: Repeated): Generator<Copy> {
  let shown = showIf
  for (let number = 1; number <= copies; number += 1) {
    if (number > repeat.always) {
      reopen()
      const id = drafting.id(`${name}_more`)
      const own = drafting.ownLabel(number === 1 ? ADD_FIRST_LABEL : ADD_ANOTHER_LABEL)
      const title = drafting.text(Object.keys(said).length > 0 ? said : own, 500)
      const codes = new Map(['yes', 'no'].map((code) => [code, code]))
      drafting.add(nameMore(name, number), { id, type: 'yes_no', title, ...(shown && { showIf: shown }) }, codes)
      shown = joinAll([showIf, { question: id, is: 'any_of', options: ['yes'] }])
    }
    yield { number, showIf: shown }
  }
}

/** The name of the question whether there is one more. */
export const nameMore = (name: string, copy: number): string => `${name}#more#${copy}`

/** A heading with the number of its copy, from the second on. */
export const numberCopy = (said: TextByLanguage, copy: number): TextByLanguage =>
  copy > 1 ? Object.fromEntries(Object.entries(said).map(([language, text]) => [language, `${text} (${copy})`])) : said

import { listQuestions } from './answers.ts'
import type { Definition, Question } from '../surveys.schema.ts'

/** What a question may ask for that can identify somebody. */
export const PERSONAL_KINDS = ['name', 'email', 'phone', 'address', 'place', 'file'] as const
export type PersonalKind = (typeof PERSONAL_KINDS)[number]

/** Undefined if the answer does not identify anyone. Text counts only if its author marked it as personal. */
export function findPersonalKind(question: Question): PersonalKind | undefined {
  if ('personal' in question && question.personal) return 'name'
  return PERSONAL_KINDS.find((kind) => kind === question.type)
}

/** Each kind of personal data a survey asks for, once. */
export function listPersonalKinds(definition: Definition): PersonalKind[] {
  const asked = new Set(listQuestions(definition).map(findPersonalKind))
  return PERSONAL_KINDS.filter((kind) => asked.has(kind))
}

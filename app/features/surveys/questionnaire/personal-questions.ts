import { listQuestions } from './answers.ts'
import type { Definition, Question } from '../surveys.schema.ts'

/** What a question may ask for that can show who somebody is. */
export const PERSONAL_KINDS = ['name', 'email', 'phone', 'address', 'place', 'file'] as const
export type PersonalKind = (typeof PERSONAL_KINDS)[number]

/** Undefined for a question whose answer shows nobody. Text counts where its author has said that it asks who somebody is. */
export function findPersonalKind(question: Question): PersonalKind | undefined {
  if ('personal' in question && question.personal) return 'name'
  return PERSONAL_KINDS.find((kind) => kind === question.type)
}

/** What a survey asks for, once each. */
export function listPersonalKinds(definition: Definition): PersonalKind[] {
  const asked = new Set(listQuestions(definition).map(findPersonalKind))
  return PERSONAL_KINDS.filter((kind) => asked.has(kind))
}

import type { Fault } from '#app/lib/app-error.ts'
import type { SentFault } from './describe-faults.ts'
import { fieldName } from '../questionnaire/answers.ts'

/** A fault's pointer put below another. */
export const under = (at: string, fault: Fault): Fault => ({ ...fault, pointer: `${at}${fault.pointer ?? ''}` })

/** Faults of answers as a form refused by the server would bring them: `/mode/other` is the field `q.mode.other`. */
export const asSent = (faults: readonly Fault[]): SentFault[] =>
  faults.map(({ code, pointer = '', values }) => {
    const [, question = '', part = ''] = pointer.split('/')
    return { code, field: fieldName(question, part), ...(values ? { values } : {}) }
  })

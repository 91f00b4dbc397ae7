import type { Fault } from '#app/lib/app-error.ts'
import type { SentFault } from './describe-faults.ts'
import { buildFieldName } from '../questionnaire/field-names.ts'

export const prefixPointer = (at: string, fault: Fault): Fault => ({ ...fault, pointer: `${at}${fault.pointer ?? ''}` })

/** Converts faults to the shape of a form refused by the server: `/mode/other` is the field `q.mode.other`. */
export const toSentFaults = (faults: readonly Fault[]): SentFault[] =>
  faults.map(({ code, pointer = '', values }) => {
    const [, question = '', part = ''] = pointer.split('/')
    return { code, field: buildFieldName(question, part), ...(values ? { values } : {}) }
  })

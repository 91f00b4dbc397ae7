import { type RefObject, useEffect, useState } from 'react'
import { type BegunSending, keepForm, readFormFields } from '#app/features/participation/keeping/keep-form.ts'
import type { FormFields } from '#app/features/participation/keeping/kept-on-device.ts'
import { removeFromDevice, storeOnDevice, readFromDevice } from './answers-on-device.ts'
import { listQuestions, readAnswers } from '../questionnaire/answers.ts'
import { buildFieldName, type FormValues } from '../questionnaire/field-names.ts'
import type { Definition, Question } from '../surveys.schema.ts'

export interface KeptAnswers {
  /** Whether the input is saved on this device; undefined while there is nothing to save, or no script. */
  kept: boolean | undefined
  /** Answers from an earlier visit were restored. */
  restored: boolean
  /** Number of questions with an answer. */
  answered: number
  /** The sending of the restored answers, so that submitting before and after a reload stores one response. */
  sending: BegunSending | undefined
  forget: () => void
}

const INITIAL_STATE = { kept: undefined, restored: false, answered: 0, sending: undefined }

/**
 * Keeps a survey form's input on this device (`keepForm`), and counts the answers in it.
 * @param sentBefore the server returned the form with its input, which is newer than the saved one
 */
export function useKeptAnswers(
  form: RefObject<HTMLFormElement | null>,
  surveyId: string | null,
  definition: Definition,
  sentBefore: boolean,
): KeptAnswers {
  const [state, setState] = useState<Omit<KeptAnswers, 'forget'>>(INITIAL_STATE)

  useEffect(() => {
    const element = form.current
    if (!element) return undefined
    const questions = listQuestions(definition)
    return keepForm(element, {
      place: { read: () => readFromDevice(surveyId).fields, store: (fields) => storeOnDevice(surveyId, { fields }) },
      isReturned: sentBefore,
      refuses: (found) => surveyId !== null && resumeEarlierVersion(element, surveyId, found),
      onInput: (target) => untickExclusive(element, questions, target),
      onKept: (kept) => setState({ ...kept, answered: Object.keys(readAnswers(questions, readFormValues(element))).length }),
    })
  }, [form, surveyId, definition, sentBefore])

  const forget = () => {
    removeFromDevice(surveyId)
    form.current?.reset()
    setState(INITIAL_STATE)
  }
  return { ...state, forget }
}

export function readFormValues(form: HTMLFormElement): FormValues {
  const values: Record<string, string[]> = {}
  for (const [name, value] of readFormFields(form)) (values[name] ??= []).push(value)
  return values
}

/**
 * Answers started on an earlier version are finished on it: saves them as a draft of that version and reloads the page. Only once, in case
 * the browser has cookies disabled.
 */
function resumeEarlierVersion(form: HTMLFormElement, surveyId: string, fields: FormFields): boolean {
  const begunOn = fields.find(([name]) => name === 'version')?.[1]
  const version = new FormData(form).get('version')
  if (!begunOn || typeof version !== 'string' || begunOn === version) return false
  storeOnDevice(surveyId, { fields: fields.map(([name, value]) => [name, name === 'version' ? version : value]) })
  const body = new URLSearchParams([...fields, ['go', 'later']])
  void fetch(form.action, { method: 'POST', body, redirect: 'manual' }).finally(() => location.reload())
  return true
}

/** "None of these" and the other options untick each other. */
export function untickExclusive(form: HTMLFormElement, questions: readonly Question[], target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || target.type !== 'checkbox' || !target.checked) return
  const question = questions.find((each) => buildFieldName(each.id) === target.name)
  if (question?.type !== 'several_choices' && question?.type !== 'picture_choice') return
  const exclusive = new Set(question.options.filter((option) => option.exclusive).map((option) => option.id))
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement) || control.name !== target.name || control === target) continue
    if (exclusive.has(target.value) || exclusive.has(control.value)) control.checked = false
  }
}

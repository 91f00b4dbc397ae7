import { type RefObject, useEffect, useState } from 'react'
import { removeFromDevice, type FormFields, storeOnDevice, readFromDevice } from './answers-on-device.ts'
import { buildFieldName, type FormValues, listQuestions, readAnswers } from '../questionnaire/answers.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import type { Definition, Question } from '../surveys.schema.ts'

export interface KeptAnswers {
  /** Whether the input is saved on this device; undefined while there is nothing to save, or no script. */
  kept: boolean | undefined
  /** Answers from an earlier visit were restored. */
  restored: boolean
  /** Number of questions with an answer. */
  answered: number
  /** The sending of the restored answers, so that submitting before and after a reload stores one response. */
  sending: Sending | undefined
  forget: () => void
}

const INITIAL_STATE = { kept: undefined, restored: false, answered: 0, sending: undefined }

/**
 * Saves a survey form's input on this device as it is typed, with the sending's id, and restores it: a closed tab, a lost connection or a
 * restart loses nothing, and the response is still stored only once.
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
    if (!element) return
    let restored = false
    const found = sentBefore ? undefined : readFromDevice(surveyId).fields
    if (found && surveyId && resumeEarlierVersion(element, surveyId, found)) return
    const sending = found && findSending(found)
    const keepInput = (event: Event) => {
      untickExclusive(element, listQuestions(definition), event.target)
      const answered = Object.keys(readAnswers(listQuestions(definition), readFormValues(element))).length
      setState({ kept: saveFields(surveyId, element, sending), restored, answered, sending })
    }
    element.addEventListener('input', keepInput)
    if (found) {
      restored = true
      restoreFields(element, found)
      element.dispatchEvent(new Event('input'))
      restored = false
    } else if (isTouched(element)) element.dispatchEvent(new Event('input'))
    return () => element.removeEventListener('input', keepInput)
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

const readFormFields = (form: HTMLFormElement): FormFields =>
  [...new FormData(form)].flatMap(([name, value]): FormFields => (typeof value === 'string' ? [[name, value]] : []))

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

function findSending(fields: FormFields): Sending | undefined {
  const { id, sendKey } = Object.fromEntries(fields)
  return id && sendKey ? { id, sendKey } : undefined
}

function saveFields(surveyId: string | null, form: HTMLFormElement, sending: Sending | undefined): boolean {
  const fields = readFormFields(form).map(([name, value]): FormFields[number] => [
    name,
    (name === 'id' || name === 'sendKey' ? sending?.[name] : undefined) ?? value,
  ])
  return storeOnDevice(surveyId, { fields })
}

/** Whether somebody has changed the form since it was rendered, even before the page's script ran. */
export const isTouched = (form: HTMLFormElement): boolean => listTouchedFields(form).size > 0

function listTouchedFields(form: HTMLFormElement): Set<string> {
  const names = new Set<string>()
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')) {
      if (control.checked !== control.defaultChecked) names.add(control.name)
    } else if (hasTypedText(control) && control.name) names.add(control.name)
  }
  return names
}

/**
 * Carries typed text over to a form that was created anew, whether or not it is an answer already (the day of a date without its month).
 * @returns what is typed in the form now
 */
export function carryTypedText(typed: FormFields, form: HTMLFormElement): FormFields {
  for (const [name, value] of typed) Object.assign(form.elements.namedItem(name) ?? {}, { value })
  return [...form.elements].filter(hasTypedText).map((control) => [control.name, control.value])
}

/** A chosen file does not count: it is uploaded and listed in another field. */
const hasTypedText = (control: Element): control is HTMLInputElement | HTMLTextAreaElement =>
  (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) &&
  !/radio|checkbox|hidden|file/.test(control.type) &&
  control.value !== control.defaultValue

/** Input from before the script ran is newer than what was saved, and stays. */
function restoreFields(form: HTMLFormElement, fields: FormFields): void {
  const newer = listTouchedFields(form)
  for (const control of form.elements) {
    if ('name' in control && newer.has(String(control.name))) continue
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')) {
      control.checked = fields.some(([name, value]) => name === control.name && value === control.value)
    } else if (
      (control instanceof HTMLInputElement && control.type !== 'hidden') ||
      control instanceof HTMLTextAreaElement ||
      control instanceof HTMLSelectElement
    ) {
      const [, value] = fields.find(([name]) => name === control.name) ?? []
      if (value === undefined) continue
      control.value = value
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
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

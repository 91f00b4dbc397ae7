import { type RefObject, useEffect, useState } from 'react'
import { removeFromDevice, type FormFields, storeOnDevice, readFromDevice } from './answers-on-device.ts'
import { buildFieldName, type FormValues, listQuestions, readAnswers } from '../questionnaire/answers.ts'
import type { Definition, Question } from '../surveys.schema.ts'

export interface KeptAnswers {
  /** Whether what is typed is kept on this device; undefined while there is nothing to keep, or no script. */
  kept: boolean | undefined
  /** Answers of an earlier visit were put back. */
  restored: boolean
  /** Questions with an answer. */
  answered: number
  /** The sending that the answers put back belong to: what is sent twice, before and after a reload, is stored once. */
  sending: Sending | undefined
  forget: () => void
}

export interface Sending {
  id: string
  sendKey: string
}

const INITIAL_STATE = { kept: undefined, restored: false, answered: 0, sending: undefined }

/**
 * Keeps what is typed into a survey's form on this device as it is typed, with the id of the sending, and puts it back: a closed tab,
 * a dead network or a restart loses nothing, and what is sent after all is still sent once.
 * @param sentBefore the form comes back from the server with what was typed, which is newer than what is kept
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
 * What was begun on an earlier version is finished on it: the server takes it for a draft of that version, and the page is read again. Once
 * only, for where the browser keeps no cookie.
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

/** Whether somebody has ticked or typed since the form was made, be it before the page's script ran. */
export const isTouched = (form: HTMLFormElement): boolean => listTouchedFields(form).size > 0

function listTouchedFields(form: HTMLFormElement): Set<string> {
  const names = new Set<string>()
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')) {
      if (control.checked !== control.defaultChecked) names.add(control.name)
    } else if (control instanceof HTMLInputElement && (control.type === 'hidden' || control.type === 'file')) {
      // A file that was chosen is sent, and named in another field.
      continue
    } else if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      if (control.name && control.value !== control.defaultValue) names.add(control.name)
    }
  }
  return names
}

/** What was typed before the script ran is newer than what is kept, and stays. */
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

/** "None of these" and the other options take each other's tick away. */
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

import { type RefObject, useEffect, useState } from 'react'
import { dropFromDevice, type Fields, keepOnDevice, keptOnDevice } from './answers-on-device.ts'
import { fieldName, type FormValues, questionsOf, readAnswers } from '../questionnaire/answers.ts'
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

const NOTHING = { kept: undefined, restored: false, answered: 0, sending: undefined }

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
  const [state, setState] = useState<Omit<KeptAnswers, 'forget'>>(NOTHING)

  useEffect(() => {
    const element = form.current
    if (!element) return
    let restored = false
    const found = sentBefore ? undefined : keptOnDevice(surveyId).fields
    if (found && surveyId && goesOnElsewhere(element, surveyId, found)) return
    const sending = found && sendingOf(found)
    const keep = (event: Event) => {
      untickExclusive(element, questionsOf(definition), event.target)
      const answered = Object.keys(readAnswers(questionsOf(definition), valuesOf(element))).length
      setState({ kept: save(surveyId, element, sending), restored, answered, sending })
    }
    element.addEventListener('input', keep)
    if (found) {
      restored = true
      restore(element, found)
      element.dispatchEvent(new Event('input'))
      restored = false
    } else if (isTouched(element)) element.dispatchEvent(new Event('input'))
    return () => element.removeEventListener('input', keep)
  }, [form, surveyId, definition, sentBefore])

  const forget = () => {
    dropFromDevice(surveyId)
    form.current?.reset()
    setState(NOTHING)
  }
  return { ...state, forget }
}

export function valuesOf(form: HTMLFormElement): FormValues {
  const values: Record<string, string[]> = {}
  for (const [name, value] of fieldsOf(form)) (values[name] ??= []).push(value)
  return values
}

const fieldsOf = (form: HTMLFormElement): Fields =>
  [...new FormData(form)].flatMap(([name, value]): Fields => (typeof value === 'string' ? [[name, value]] : []))

/**
 * What was begun on an earlier version is finished on it: the server takes it for a draft of that version, and the page is read again. Once
 * only, for where the browser keeps no cookie.
 */
function goesOnElsewhere(form: HTMLFormElement, surveyId: string, fields: Fields): boolean {
  const begunOn = fields.find(([name]) => name === 'version')?.[1]
  const version = new FormData(form).get('version')
  if (!begunOn || typeof version !== 'string' || begunOn === version) return false
  keepOnDevice(surveyId, { fields: fields.map(([name, value]) => [name, name === 'version' ? version : value]) })
  const body = new URLSearchParams([...fields, ['go', 'later']])
  void fetch(form.action, { method: 'POST', body, redirect: 'manual' }).finally(() => location.reload())
  return true
}

function sendingOf(fields: Fields): Sending | undefined {
  const { id, sendKey } = Object.fromEntries(fields)
  return id && sendKey ? { id, sendKey } : undefined
}

function save(surveyId: string | null, form: HTMLFormElement, sending: Sending | undefined): boolean {
  const fields = fieldsOf(form).map(([name, value]): Fields[number] => [
    name,
    (name === 'id' || name === 'sendKey' ? sending?.[name] : undefined) ?? value,
  ])
  return keepOnDevice(surveyId, { fields })
}

/** Whether somebody has ticked or typed since the form was made, be it before the page's script ran. */
export const isTouched = (form: HTMLFormElement): boolean => touched(form).size > 0

function touched(form: HTMLFormElement): Set<string> {
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
function restore(form: HTMLFormElement, fields: Fields): void {
  const newer = touched(form)
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
  const question = questions.find((each) => fieldName(each.id) === target.name)
  if (question?.type !== 'several_choices' && question?.type !== 'picture_choice') return
  const exclusive = new Set(question.options.filter((option) => option.exclusive).map((option) => option.id))
  for (const control of form.elements) {
    if (!(control instanceof HTMLInputElement) || control.name !== target.name || control === target) continue
    if (exclusive.has(target.value) || exclusive.has(control.value)) control.checked = false
  }
}

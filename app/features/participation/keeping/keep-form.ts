import type { FormFields } from './kept-on-device.ts'

/** Where the fields of one form are kept, and for how long. */
interface KeptPlace {
  read: () => FormFields | undefined
  /** @returns whether they are stored */
  store: (fields: FormFields) => boolean
}

/** Sending the restored fields again stores them once: they keep the id that they were begun with. */
export interface BegunSending {
  id: string
  sendKey: string | undefined
}

interface KeepFormRules {
  place: KeptPlace
  /** The server returned the form with its input, which is newer than what the device has. */
  isReturned: boolean
  /**
   * What the device has was sent, and may have arrived. As it stands it is sent again under its id, which stores it once; once it is changed, it is
   * something else with an id of its own, since a sending that has arrived is not stored again.
   */
  wasSent?: boolean
  /** Something was changed before, which the fields need not show. */
  wasChanged?: boolean
  /** True to leave the form as it is, such as when the page is about to be loaded again. */
  refuses?: (fields: FormFields) => boolean
  /** Before the input is stored. */
  onInput?: (target: EventTarget | null) => void
  onKept: (state: { kept: boolean; restored: boolean; sending: BegunSending | undefined }) => void
}

/**
 * Keeps a form's input on this device as it is typed, with the sending's id, and restores it: a closed tab, a lost connection or a restart
 * loses nothing, and what is sent is still stored only once.
 * @returns stops it
 */
export function keepForm(
  form: HTMLFormElement,
  { place, isReturned, wasSent = false, wasChanged = false, refuses, onInput, onKept }: KeepFormRules,
): () => void {
  let restored = false
  const found = isReturned ? undefined : place.read()
  if (found && refuses?.(found)) return () => undefined
  let sending = found && !(wasSent && isTouched(form)) ? findSending(found) : undefined
  const keepInput = (event: Event) => {
    onInput?.(event.target)
    if (wasSent && !restored) sending = undefined
    onKept({ kept: place.store(readFormFields(form)), restored, sending })
  }
  const keepSending = ({ formData }: FormDataEvent) => {
    if (!sending) return
    formData.set('id', sending.id)
    if (sending.sendKey) formData.set('sendKey', sending.sendKey)
  }
  form.addEventListener('input', keepInput)
  form.addEventListener('formdata', keepSending)
  if (found) {
    restored = true
    restoreFields(form, found)
    form.dispatchEvent(new Event('input'))
    restored = false
  } else if (wasChanged || isTouched(form)) form.dispatchEvent(new Event('input'))
  return () => {
    form.removeEventListener('input', keepInput)
    form.removeEventListener('formdata', keepSending)
  }
}

export const readFormFields = (form: HTMLFormElement): FormFields =>
  [...new FormData(form)].flatMap(([name, value]): FormFields => (typeof value === 'string' ? [[name, value]] : []))

function findSending(fields: FormFields): BegunSending | undefined {
  const { id, sendKey } = Object.fromEntries(fields)
  return id ? { id, sendKey } : undefined
}

/** Whether the form differs from how it was rendered, including changes made before the page's script ran. */
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

/** Of the hidden fields, those that people change: a component marks them with `data-kept`, and shows what they hold. */
const isRestored = (control: Element): control is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  (control instanceof HTMLInputElement && control.type !== 'file' && (control.type !== 'hidden' || 'kept' in control.dataset)) ||
  control instanceof HTMLTextAreaElement ||
  control instanceof HTMLSelectElement

/** Input from before the script ran is newer than what was saved, and stays. */
function restoreFields(form: HTMLFormElement, fields: FormFields): void {
  const newer = listTouchedFields(form)
  for (const control of form.elements) {
    if ('name' in control && newer.has(String(control.name))) continue
    if (control instanceof HTMLInputElement && (control.type === 'radio' || control.type === 'checkbox')) {
      const wasChecked = control.checked
      control.checked = fields.some(([name, value]) => name === control.name && value === control.value)
      // A component shows something else for it.
      if (control.checked && !wasChecked && 'kept' in control.dataset) control.dispatchEvent(new Event('input', { bubbles: true }))
    } else if (isRestored(control)) {
      const [, value] = fields.find(([name]) => name === control.name) ?? []
      if (value === undefined) continue
      control.value = value
      control.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
}

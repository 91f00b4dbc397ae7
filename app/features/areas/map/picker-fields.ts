import type { Point } from '../polygons.schema.ts'

type Form = HTMLFormElement | null | undefined

function findField(form: Form, name: string): HTMLInputElement | HTMLSelectElement | undefined {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined
}

export const readField = (form: Form, name: string): string => findField(form, name)?.value.trim() ?? ''

/** As if a person had typed it, for what listens to the form. */
export function typeInto(form: Form, name: string, value: string): void {
  const field = findField(form, name)
  if (!field) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The point in a form's fields, if they hold one. */
export function findFormPlace(form: HTMLFormElement, lat: string, lng: string): Point | undefined {
  const [x, y] = [lng, lat].map((name) => {
    const typed = readField(form, name)
    return typed ? Number(typed.replace(',', '.')) : Number.NaN
  })
  return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined
}

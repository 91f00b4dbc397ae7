import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** Props shared by all form fields. */
export interface FieldProps {
  name: string
  /** Id of the control, or of the first of several: the target of an error summary's link. Defaults to the name. */
  id?: string
  label: ReactNode
  hint?: ReactNode
  /** What is wrong, in a sentence that says how to fix it. */
  error?: string | undefined
  /** "(optional)", if the field may be left empty. */
  optional?: ReactNode
  /** `question` is large and in the display typeface, for survey questions. */
  labelSize?: 'row' | 'question'
  /** Makes the label the page's heading, if the page asks only one thing. */
  heading?: 1 | 2
  required?: boolean
  disabled?: boolean
}

export const getFieldId = ({ id, name }: Pick<FieldProps, 'id' | 'name'>): string => id ?? name
const toHintId = (id: string) => `${id}-hint`
const toErrorId = (id: string) => `${id}-error`

/** The value of `aria-describedby`: hint, error and any further ids, or undefined. */
export function buildDescribedBy(id: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>, ...more: (string | false | undefined)[]) {
  return [hint && toHintId(id), error && toErrorId(id), ...more].filter(Boolean).join(' ') || undefined
}

/** Attributes that connect a control to its label, hint and error. */
export function buildControlProps(field: FieldProps, ...describing: (string | false | undefined)[]) {
  const id = getFieldId(field)
  return {
    id,
    name: field.name,
    required: field.required,
    disabled: field.disabled,
    'aria-describedby': buildDescribedBy(id, field, ...describing),
    'aria-invalid': field.error ? (true as const) : undefined,
  }
}

function LabelText({ label, optional, heading }: Pick<FieldProps, 'label' | 'optional' | 'heading'>) {
  const words = (
    <>
      {label}
      {optional && <span className="field-optional"> {optional}</span>}
    </>
  )
  if (heading === 1) return <h1>{words}</h1>
  if (heading === 2) return <h2>{words}</h2>
  return words
}

function getLabelClass({ labelSize, heading }: Pick<FieldProps, 'labelSize' | 'heading'>): string {
  return labelSize === 'question' || heading ? 'field-label field-label-large' : 'field-label'
}

export function HintAndError({ id, hint, error }: { id: string } & Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint && (
        <div className="field-hint" id={toHintId(id)}>
          {hint}
        </div>
      )}
      {error && (
        <p className="field-error" id={toErrorId(id)}>
          <Icon name="error" />
          {error}
        </p>
      )}
    </>
  )
}

/** A single control with its label, hint and error above it. */
export function Field({ field, children, after }: { field: FieldProps; children: ReactNode; after?: ReactNode }) {
  const id = getFieldId(field)
  const label = (
    <label className={getLabelClass(field)} htmlFor={id}>
      <LabelText label={field.label} optional={field.optional} />
    </label>
  )
  return (
    <div className="field" data-invalid={field.error ? true : undefined}>
      {field.heading === 1 ? <h1>{label}</h1> : field.heading === 2 ? <h2>{label}</h2> : label}
      <HintAndError id={id} hint={field.hint} error={field.error} />
      {children}
      {after}
    </div>
  )
}

interface FieldGroupProps {
  field: FieldProps
  describing?: string
  /** For radio buttons the error belongs to the group, because a single radio button cannot be invalid. */
  radios?: boolean
  children: ReactNode
}

/** Several controls that answer one question: a `fieldset` with the question as its legend. */
export function FieldGroup({ field, describing, radios = false, children }: FieldGroupProps) {
  const id = getFieldId(field)
  return (
    <fieldset
      className="field"
      role={radios ? 'radiogroup' : undefined}
      aria-invalid={radios && field.error ? true : undefined}
      aria-describedby={buildDescribedBy(id, field, describing)}
      data-invalid={field.error ? true : undefined}
      disabled={field.disabled}
    >
      <legend className={getLabelClass(field)}>
        <LabelText label={field.label} optional={field.optional} heading={field.heading} />
      </legend>
      <HintAndError id={id} hint={field.hint} error={field.error} />
      {children}
    </fieldset>
  )
}

import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** What every field of a form has. */
export interface FieldProps {
  name: string
  /** Of the control, or of the first of several: where an error summary leads. The name unless given. */
  id?: string
  label: ReactNode
  hint?: ReactNode
  /** What is wrong, in a sentence that says how to mend it. */
  error?: string | undefined
  /** "(optional)", where a field may be left empty. */
  optional?: ReactNode
  /** `question` is large and set in the display face: a question of a survey. */
  labelSize?: 'row' | 'question'
  /** Makes the label the page's own heading, where a page asks one thing. */
  heading?: 1 | 2
  required?: boolean
  disabled?: boolean
}

export const getFieldId = ({ id, name }: Pick<FieldProps, 'id' | 'name'>): string => id ?? name
const toHintId = (id: string) => `${id}-hint`
const toErrorId = (id: string) => `${id}-error`

/** The value of `aria-describedby`: hint, error and what else is given, or nothing. */
export function buildDescribedBy(id: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>, ...more: (string | false | undefined)[]) {
  return [hint && toHintId(id), error && toErrorId(id), ...more].filter(Boolean).join(' ') || undefined
}

/** The attributes that tie one control to its label, hint and error. */
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

function HintAndError({ id, hint, error }: { id: string } & Pick<FieldProps, 'hint' | 'error'>) {
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

/** One control with its label, hint and error above it. */
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
  /** The controls are one choice: the fault is then the group's, since a radio button itself cannot be at fault. */
  radios?: boolean
  children: ReactNode
}

/** Several controls that answer one question: a `fieldset`, whose legend is the question. */
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

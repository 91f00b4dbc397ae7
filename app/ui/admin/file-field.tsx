import { Field, type FieldProps } from '../field.tsx'
import { FileChooser } from '../file-chooser.tsx'

interface FileFieldProps extends FieldProps {
  button: string
  accept: string
  onChoose: (file: File | undefined) => void
}

/** A file to send with a form. */
export function FileField({ button, accept, onChoose, ...field }: FileFieldProps) {
  return (
    <Field field={field}>
      <FileChooser field={field} button={button} accept={accept} onChoose={onChoose} />
    </Field>
  )
}

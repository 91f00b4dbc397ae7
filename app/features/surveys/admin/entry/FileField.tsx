import { buildControlProps, Field, type FieldProps } from '#app/ui/field.tsx'

export function FileField({ accept, onChoose, ...field }: FieldProps & { accept: string; onChoose: (file: File | undefined) => void }) {
  return (
    <Field field={field}>
      <input
        {...buildControlProps(field)}
        className="input"
        type="file"
        accept={accept}
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
    </Field>
  )
}

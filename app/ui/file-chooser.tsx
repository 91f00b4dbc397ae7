import { useEffect, useRef, useState } from 'react'
import { getButtonClass } from './button.tsx'
import { buildControlProps, type FieldProps } from './field.tsx'

interface FileChooserProps {
  field: FieldProps
  /** The words on the button, since the browser's own are in the browser's language. */
  button: string
  /** Accepted types or extensions, separated by commas. */
  accept: string
  onChoose?: (file: File | undefined) => void
}

/** A file control, to put into a `Field`: a button of ours, with the name of the chosen file below. */
export function FileChooser({ field, button, accept, onChoose }: FileChooserProps) {
  const [name, setName] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // Chosen before the script had loaded.
  useEffect(() => setName(input.current?.files?.[0]?.name ?? ''), [])
  return (
    <>
      <span className="file-choose">
        <input
          {...buildControlProps(field)}
          ref={input}
          type="file"
          accept={accept}
          onChange={({ currentTarget: { files } }) => {
            setName(files?.[0]?.name ?? '')
            onChoose?.(files?.[0])
          }}
        />
        <span className={getButtonClass({ kind: 'secondary' })} aria-hidden="true">
          {button}
        </span>
      </span>
      <output className="file-chosen">{name}</output>
    </>
  )
}

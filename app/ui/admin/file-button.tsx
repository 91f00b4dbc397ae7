import { useId } from 'react'
import { getButtonClass } from '../button.tsx'
import { AdminIcon } from './admin-icon.tsx'

interface FileButtonProps {
  label: string
  several?: boolean
  /** Types or endings that are offered. */
  accept: readonly string[]
  onFiles: (files: File[]) => void
}

/** A button that opens the device's own files. */
export function FileButton({ label, several, accept, onFiles }: FileButtonProps) {
  const id = useId()
  return (
    <span className="file-button">
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept={accept.join(',')}
        multiple={several}
        onChange={(event) => {
          const { currentTarget } = event
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <label htmlFor={id} className={getButtonClass()}>
        <AdminIcon name="upload" />
        {label}
      </label>
    </span>
  )
}

import { useId } from 'react'
import { getButtonClass } from '../button.tsx'
import { AdminIcon } from './admin-icon.tsx'

interface FileButtonProps {
  label: string
  several?: boolean
  /** Accepted types or extensions. */
  accept: readonly string[]
  onFiles: (files: File[]) => void
}

/** A button that opens the file picker. */
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

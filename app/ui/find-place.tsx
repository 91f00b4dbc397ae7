import type { ReactNode } from 'react'
import type { FieldProps } from './field.tsx'
import { TextField } from './text-field.tsx'

interface FindPlaceProps {
  field: FieldProps
  typed?: string | undefined
  /** Its button. */
  children: ReactNode
}

/** A search field whose result is shown on the map below it. */
export const FindPlace = ({ field, typed, children }: FindPlaceProps) => (
  <div className="place-find">
    <TextField {...field} defaultValue={typed} width={20} />
    {children}
  </div>
)

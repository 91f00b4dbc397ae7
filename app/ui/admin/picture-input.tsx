import { type ComponentType, createContext, type ReactNode, Suspense, use, useState } from 'react'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import type { Translated } from '#app/lib/translated.ts'
import { Button } from '../button.tsx'

export interface ChosenPicture {
  /** The address that content stores. */
  address: string
  /** Alternative text, in each language that has one. */
  alt: Translated
}

export interface PictureChooserProps {
  onChoose: (picture: ChosenPicture) => void
  onClose: () => void
}

interface Library {
  /** A dialog to choose from. */
  Chooser: ComponentType<PictureChooserProps>
  words: { choose: string; other: string; remove: string; none: string }
}

const LibraryContext = createContext<Library | undefined>(undefined)

/** Makes the site's library available to every picture field. */
export function PictureLibrary({ library, children }: { library: Library; children: ReactNode }) {
  return <LibraryContext value={library}>{children}</LibraryContext>
}

/** The dialog that picks one picture from the site's library. */
export function PictureChoice(props: PictureChooserProps) {
  const library = use(LibraryContext)
  if (!library) throw new Error('A picture field must be inside the library’s provider')
  const { Chooser } = library
  return (
    <Suspense>
      <Chooser {...props} />
    </Suspense>
  )
}

interface PictureInputProps {
  name: string
  label: ReactNode
  hint?: ReactNode
  /** Path of a picture of this site. */
  value: string | null
  onChange: (picture: ChosenPicture | null) => void
  error?: string | undefined
  /** More fields about the picture. */
  children?: ReactNode
}

/** A picture, chosen from the site's library. */
export function PictureInput({ name, label, hint, value, onChange, error, children }: PictureInputProps) {
  const library = use(LibraryContext)
  const [choosing, setChoosing] = useState(false)
  if (!library) throw new Error('A picture field must be inside the library’s provider')
  const { words } = library
  return (
    <fieldset className="editor-group picture-input" id={name}>
      <legend>{label}</legend>
      {hint && <p className="field-hint">{hint}</p>}
      {error && <p className="field-error">{error}</p>}
      <div className="picture-input-row">
        {value ? (
          <img {...buildPictureAttributes(value)} sizes="10rem" alt="" width={160} height={107} />
        ) : (
          <span className="meta">{words.none}</span>
        )}
        <div className="row">
          <Button kind="secondary" size="small" type="button" onClick={() => setChoosing(true)}>
            {value ? words.other : words.choose}
          </Button>
          {value && (
            <Button kind="plain" size="small" type="button" onClick={() => onChange(null)}>
              {words.remove}
            </Button>
          )}
        </div>
      </div>
      {children}
      {choosing && (
        <PictureChoice
          onClose={() => setChoosing(false)}
          onChoose={(picture) => {
            onChange(picture)
            setChoosing(false)
          }}
        />
      )}
    </fieldset>
  )
}

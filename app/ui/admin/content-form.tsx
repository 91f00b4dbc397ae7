import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'
import { FaultSummary } from './fault-summary.tsx'
import { SaveBar, type SaveState } from './save-bar.tsx'

interface ContentFormProps {
  children: ReactNode
  unsaved: number
  saving: boolean
  /** Faults of the last save, each with its field. */
  faults: readonly { id?: string; message: string }[]
  /** Somebody else saved in the meantime: their version is loaded, with what was typed here on top. */
  stale: boolean
  onSave: () => void
  words: { problem: string; stale: string; staleText: string; state: (state: SaveState, count: number) => string; save: string }
  /** Beside the button: a link to the page. */
  beside?: ReactNode
}

/** The form around everything that can be edited about one thing, with its save state. */
export function ContentForm({ children, unsaved, saving, faults, stale, onSave, words, beside }: ContentFormProps) {
  const state: SaveState = saving ? 'saving' : stale ? 'conflict' : faults.length ? 'failed' : unsaved ? 'unsaved' : 'saved'
  return (
    <form
      noValidate
      className="admin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (unsaved) onSave()
      }}
    >
      {faults.length > 0 && !stale && <FaultSummary title={words.problem} errors={faults} />}
      {stale && (
        <Notice kind="warning" title={words.stale}>
          <p>{words.staleText}</p>
        </Notice>
      )}
      {children}
      <SaveBar
        state={state}
        text={words.state(state, unsaved)}
        actions={
          <>
            {beside}
            <Button type="submit" pending={saving} disabled={!unsaved}>
              {words.save}
            </Button>
          </>
        }
      />
    </form>
  )
}

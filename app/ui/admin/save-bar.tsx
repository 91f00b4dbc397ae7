import type { ReactNode } from 'react'

export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'failed'

interface SaveBarProps {
  state: SaveState
  /** "Saved 2 minutes ago", "3 changes not saved yet", "Changed by Maeve since you opened it". */
  text: ReactNode
  /** Buttons; the primary one last. On a conflict: compare both versions. */
  actions?: ReactNode
}

/** Shows at the bottom of an editor whether the work is saved; always visible. */
export function SaveBar({ state, text, actions }: SaveBarProps) {
  return (
    <div className={`save-bar save-bar-${state}`}>
      <p role={state === 'conflict' || state === 'failed' ? 'alert' : 'status'}>
        {state === 'saving' ? <span className="spinner" aria-hidden="true" /> : <span className="save-bar-mark" aria-hidden="true" />}
        {text}
      </p>
      {actions && <div className="save-bar-actions">{actions}</div>}
    </div>
  )
}

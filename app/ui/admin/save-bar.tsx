import type { ReactNode } from 'react'

export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'failed'

interface SaveBarProps {
  state: SaveState
  /** "Saved 2 minutes ago", "3 changes not saved yet", "Changed by Maeve since you opened it". */
  text: ReactNode
  /** Buttons; the main one last. On a conflict: see both versions. */
  actions?: ReactNode
}

/** Whether the work is safe, at the foot of an editor, always in view. */
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

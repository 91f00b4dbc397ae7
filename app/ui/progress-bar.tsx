import type { ReactNode } from 'react'

/** Progress as text and as a bar. */
export function ProgressBar({ label, value, max = 100 }: { label: ReactNode; value: number; max?: number }) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <div className="progress">
      <span>{label}</span>
      <span className="progress-track" aria-hidden="true">
        <span className="progress-fill" style={{ width: `${Math.round(share * 1000) / 10}%` }} />
      </span>
    </div>
  )
}

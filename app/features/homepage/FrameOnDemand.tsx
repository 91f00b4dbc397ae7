import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'

interface FrameOnDemandProps {
  /** What is framed once it is asked for. */
  frame: string
  /** The same for people: where the link leads without a script, or where the frame is refused. */
  address: string
  title: string
  /** What pressing does: "Play the film". */
  label: string
  /** That the other place then learns of the visit. */
  note: string
  height?: number
  picture?: ReactNode
}

/** A page of another place that nothing is loaded from until somebody asks. */
export function FrameOnDemand({ frame, address, title, label, note, height, picture }: FrameOnDemandProps) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    // Come to without a fresh document, the page still has the policy of the one before it: the link then leads there instead.
    const openAddressInstead = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === 'frame-src') window.location.assign(address)
    }
    document.addEventListener('securitypolicyviolation', openAddressInstead)
    return () => document.removeEventListener('securitypolicyviolation', openAddressInstead)
  }, [isOpen, address])
  // Always another origin than ours: it needs its own storage to play, and still cannot lead this page away.
  const confined = 'allow-scripts allow-same-origin allow-forms allow-popups allow-presentation'
  const size = height ? { height } : { aspectRatio: '16 / 9' }
  if (isOpen) {
    return (
      <iframe
        className="outside-frame"
        style={size}
        src={frame}
        title={title}
        allow="autoplay; fullscreen; picture-in-picture"
        sandbox={confined}
        referrerPolicy="strict-origin-when-cross-origin"
      />
    )
  }
  return (
    <div className="outside-frame outside-frame-closed" style={picture ? size : undefined}>
      {picture}
      <div className="outside-frame-ask">
        <a
          href={address}
          className="button button-light"
          rel="noopener"
          onClick={(event) => {
            event.preventDefault()
            setOpen(true)
          }}
        >
          <Icon name="external" />
          {label}
        </a>
        <p>{note}</p>
      </div>
    </div>
  )
}

import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'

interface FrameOnDemandProps {
  /** URL loaded in the frame once the visitor asks for it. */
  frame: string
  /** Public URL: the link's target without JavaScript, or if the frame is blocked. */
  address: string
  title: string
  /** Label of the button, such as "Play the film". */
  label: string
  /** Warns that the other site will learn of the visit. */
  note: string
  height?: number
  picture?: ReactNode
}

/** Embeds a third-party page. Nothing is loaded from it until the visitor asks. */
export function FrameOnDemand({ frame, address, title, label, note, height, picture }: FrameOnDemandProps) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    // After client-side navigation, the page still has the previous document's content policy, which may block the frame: follow the link
    // instead.
    const openAddressInstead = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === 'frame-src') window.location.assign(address)
    }
    document.addEventListener('securitypolicyviolation', openAddressInstead)
    return () => document.removeEventListener('securitypolicyviolation', openAddressInstead)
  }, [isOpen, address])
  // The frame is always of another origin: it needs its own storage to play, but cannot navigate this page.
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

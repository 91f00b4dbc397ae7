import { useEffect } from 'react'

interface OutsideFrameProps {
  frame: string
  /** Public URL, opened if the frame is blocked. */
  address: string
  title: string
  size: { height: number } | { aspectRatio: string }
}

/** The frame is always of another origin: it needs its own storage to play, but cannot navigate this page. */
const CONFINED = 'allow-scripts allow-same-origin allow-forms allow-popups allow-presentation'

/** A page of another site in a frame, loaded only after the visitor chose to open it. */
export function OutsideFrame({ frame, address, title, size }: OutsideFrameProps) {
  useEffect(() => {
    // After client-side navigation, the page still has the previous document's content policy, which may block the frame: follow the link
    // instead.
    const openAddressInstead = (event: SecurityPolicyViolationEvent) => {
      if (event.effectiveDirective === 'frame-src') window.location.assign(address)
    }
    document.addEventListener('securitypolicyviolation', openAddressInstead)
    return () => document.removeEventListener('securitypolicyviolation', openAddressInstead)
  }, [address])
  return (
    <iframe
      className="outside-frame"
      style={size}
      src={frame}
      title={title}
      allow="autoplay; fullscreen; picture-in-picture"
      sandbox={CONFINED}
      referrerPolicy="strict-origin-when-cross-origin"
    />
  )
}

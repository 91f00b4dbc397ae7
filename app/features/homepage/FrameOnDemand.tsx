import { type ReactNode, useState } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { OutsideFrame } from '#app/ui/OutsideFrame.tsx'

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
  const size = height ? { height } : { aspectRatio: '16 / 9' }
  if (isOpen) return <OutsideFrame frame={frame} address={address} title={title} size={size} />
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

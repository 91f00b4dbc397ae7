import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import type { Bounds } from './use-preview-editor.ts'

interface FramedPageProps {
  title: string
  /** The page's address, from the root. */
  address: string
  /** In pixels of the screen it is drawn for. */
  width: number
  frame?: Ref<HTMLIFrameElement>
  /** What is chosen, in the page's own pixels. */
  bounds?: Bounds
  /** Beside the outline of what is chosen. */
  name?: ReactNode
}

/** A page of ours as wide as a real screen, drawn as small as the room there is, with an outline round what is chosen. */
export function FramedPage({ title, address, width, frame, bounds, name }: FramedPageProps) {
  const holder = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ width, height: 600 })
  useEffect(() => {
    const element = holder.current
    if (!element) return
    const watcher = new ResizeObserver(([entry]) => entry && setRoom({ width: entry.contentRect.width, height: entry.contentRect.height }))
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  const scale = Math.min(1, room.width / width)
  return (
    <div className="preview-frame" ref={holder}>
      <div className="preview-sheet" style={{ width: width * scale, height: room.height }}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- a page of our own, which the editor speaks with */}
        <iframe
          ref={frame}
          key={address}
          title={title}
          src={address}
          style={{ width, height: room.height / scale, transform: `scale(${scale})` }}
        />
        {bounds && (
          <div
            className="preview-outline"
            style={{ top: bounds.top * scale, left: bounds.left * scale, width: bounds.width * scale, height: bounds.height * scale }}
          >
            {name}
          </div>
        )}
      </div>
    </div>
  )
}

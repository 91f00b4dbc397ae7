import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import type { Bounds } from './use-preview-editor.ts'

interface FramedPageProps {
  title: string
  /** Path and query of the page. */
  address: string
  /** In CSS pixels of the simulated screen. */
  width: number
  frame?: Ref<HTMLIFrameElement>
  /** Bounds of the selection, in the page's own pixels. */
  bounds?: Bounds
  /** Label next to the selection's outline. */
  name?: ReactNode
}

/** Renders one of our pages at the width of a real screen, scaled down to the available space, with an outline around the selection. */
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

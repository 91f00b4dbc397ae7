import { type ReactNode, useEffect, useRef, useState } from 'react'

/** As wide as a real screen, drawn as small as the room there is. */
export function ScaledFrame({ width, children }: { width: number; children: (scale: number, height: number) => ReactNode }) {
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
        {children(scale, room.height)}
      </div>
    </div>
  )
}

import { useEffect } from 'react'

/** Tells the page around a frame how high its content is. That is no secret, and only listed pages can frame it. */
export function useEmbedSize(): void {
  useEffect(() => {
    if (window.parent === window) return
    const postHeight = () =>
      window.parent.postMessage({ parley: 'height', height: Math.ceil(document.body.getBoundingClientRect().height) }, '*')
    const observer = new ResizeObserver(postHeight)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
}

import { useEffect } from 'react'

/** Posts the content's height to the framing page. The height is no secret, and only listed pages can frame this one. */
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

/* For pages that show a consultation: gives its frames the height of what is in them. A message counts only from the frame itself and its own site. */
;(() => {
  addEventListener('message', (event) => {
    const { parley, height } = event.data ?? {}
    if (parley !== 'height' || !(height > 0 && height < 100000)) return
    for (const frame of document.querySelectorAll('iframe[data-parley]')) {
      if (frame.contentWindow === event.source && new URL(frame.src).origin === event.origin) frame.style.height = `${Math.ceil(height)}px`
    }
  })
})()

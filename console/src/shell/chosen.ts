// Which entry of the search is selected, and what the keys do: arrows select, Enter opens.
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import type { Entry } from './commands.ts'

interface Chosen {
  readonly selected: Entry | undefined
  readonly press: (event: KeyboardEvent) => void
  /** For another text: its first entry is selected. */
  readonly reset: () => void
  /** For a scanned text: opens its first result as soon as it is found. */
  readonly openFound: () => void
}

/** `isWaiting`: records among the entries are still those of an earlier text. */
export function useChosen(entries: readonly Entry[], isWaiting: boolean, open: (entry: Entry) => void): Chosen {
  const [chosen, setChosen] = useState<string>()
  const [isOpening, setOpening] = useState(false)
  const selected = entries.find(({ key }) => key === chosen) ?? entries[0]

  // Enter was pressed before the results were there, as barcode scanners do.
  const openSelected = useEffectEvent(() => {
    setOpening(false)
    if (selected !== undefined) open(selected)
  })
  useEffect(() => {
    if (isOpening && !isWaiting) openSelected()
  }, [isOpening, isWaiting])

  function select(place: number) {
    setOpening(false)
    setChosen(entries[(place + entries.length) % entries.length]?.key)
  }

  function press(event: KeyboardEvent) {
    // Enter and arrows that choose a character of Chinese, Japanese or Korean.
    if (event.nativeEvent.isComposing) return
    const place = selected === undefined ? -1 : entries.indexOf(selected)
    if (event.key === 'ArrowDown') select(place + 1)
    else if (event.key === 'ArrowUp') select(place - 1)
    else if (event.key !== 'Enter') return
    else if (isWaiting && (selected === undefined || selected.isRecord)) setOpening(true)
    else if (selected !== undefined) open(selected)
    event.preventDefault()
  }

  return {
    selected,
    press,
    reset: () => {
      setChosen(undefined)
      setOpening(false)
    },
    openFound: () => {
      setChosen(undefined)
      setOpening(true)
    },
  }
}

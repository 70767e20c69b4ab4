// Finds a variant by a typed or scanned code and Enter.
import { Loader, TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { type FormEvent, memo, type RefObject, useState } from 'react'
import { text } from '../../texts/sheet.ts'
import { ScanButton } from '../scan/ScanButton.tsx'
import classes from './SheetPage.module.css'

export const Finder = memo(function Finder({
  input,
  find,
}: {
  input: RefObject<HTMLInputElement | null>
  /** Resolves when the search is over. */
  find: (code: string) => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)

  async function look(code: string) {
    if (code === '' || isBusy) return
    setBusy(true)
    try {
      await find(code)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void look(input.current?.value.trim() ?? '')
  }

  function scanned(code: string) {
    if (input.current) input.current.value = code
    void look(code)
  }

  return (
    <form onSubmit={submit} className={classes.finder}>
      <TextInput
        ref={input}
        type="search"
        leftSection={<IconBarcode size={16} />}
        rightSection={isBusy ? <Loader size={14} aria-label={text.looking} /> : <ScanButton onScan={scanned} />}
        placeholder={text.find}
        aria-label={text.findLabel}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
    </form>
  )
})

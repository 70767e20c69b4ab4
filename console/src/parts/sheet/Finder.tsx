// Finds a variant by a typed or scanned code and Enter.
import { Loader, TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { type FormEvent, memo, type RefObject, useState } from 'react'
import { text } from '../../texts/sheet.ts'

export const Finder = memo(function Finder({
  input,
  find,
}: {
  input: RefObject<HTMLInputElement | null>
  /** Resolves when the search is over. */
  find: (code: string) => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const code = input.current?.value.trim() ?? ''
    if (code === '' || isBusy) return
    setBusy(true)
    try {
      await find(code)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} style={{ flex: '1 1 240px', maxWidth: 340 }}>
      <TextInput
        ref={input}
        type="search"
        leftSection={<IconBarcode size={16} />}
        rightSection={isBusy ? <Loader size={14} aria-label={text.looking} /> : null}
        placeholder={text.find}
        aria-label={text.findLabel}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
      />
    </form>
  )
})

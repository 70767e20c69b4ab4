// Short notices at the window's corner; read after the page, since none is shown before something was done.
import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

export default function Toasts() {
  return <Notifications position="bottom-right" autoClose={5000} limit={4} />
}

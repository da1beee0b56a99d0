import type { account as en } from './en.ts';

export const account: typeof en = {
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  account: 'Cuenta',
  password: 'Contraseña',
  createAccount: 'Crear cuenta',
  welcome: 'Te damos la bienvenida a Larder',
  welcomeText: 'Tu diario y tus fotos se quedan en este servidor. Elige un nombre y una contraseña.',
  passwordRule: 'Al menos 8 caracteres.',
  noLink: 'A esta dirección le falta la invitación. Abre el enlace recibido entero.',
  noAccount: '¿Sin cuenta? Quien gestiona este Larder puede invitarte.',
  reset: {
    title: 'Una contraseña nueva',
    intro: 'Elige una contraseña nueva. Después se cierra la sesión en todos tus dispositivos.',
    set: 'Guardar contraseña',
    done: (name) => `La contraseña de ${name} está guardada. Inicia sesión con ella.`,
    noticeTitle: 'Tu contraseña se cambió',
    notice: (date, by) =>
      `El ${date} se puso una contraseña nueva a tu cuenta mediante un enlace${by === undefined ? '' : ` que creó ${by}`}. Si no fuiste tú, cámbiala en los ajustes y avisa a un propietario.`,
  },
  openId: {
    signIn: (name) => `Iniciar sesión con ${name}`,
    accounts: (name) => `Cuentas de ${name}`,
    none: 'Solo inicias sesión con tu contraseña.',
    link: 'Vincular una cuenta',
    unlink: 'Quitar',
    linkedSince: (date) => `desde el ${date}`,
    other: 'No se pudo iniciar sesión. Inténtalo de nuevo.',
    failures: {
      unknown:
        'Esta cuenta no está vinculada con nadie aquí. Inicia sesión con tu contraseña y vincúlala en los ajustes, o pide una invitación.',
      state: 'Este inicio de sesión empezó en otra ventana o hace demasiado tiempo. Inténtalo de nuevo.',
      denied: 'Lo rechazaste en el otro servicio. Inténtalo de nuevo o usa tu contraseña.',
      refused: 'La respuesta del otro servicio no es válida. Inténtalo de nuevo.',
      unavailable: 'El otro servicio no responde. Inténtalo más tarde o usa tu contraseña.',
      link: 'Esta invitación ya se usó o ha caducado. Pide una nueva.',
      taken: 'Esta cuenta no se puede vincular: otra persona la usa, o ya has vinculado demasiadas.',
      session: 'Mientras tanto se cerró tu sesión. Iníciala e inténtalo de nuevo.',
    },
  },
};

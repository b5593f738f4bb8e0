import type { Angle } from '../domain/damage.ts';
import type { PhotoEdge, ShotHint } from '../domain/judge/check-shot.ts';
import type { LanguageCode } from '../domain/language.ts';

/** Words of a guided capture, on the phone and in the terminal; what a user typed is never among them. */
export interface CaptureWords {
  readonly views: Readonly<Partial<Record<Angle, string>>>;
  readonly extras: Readonly<Record<string, readonly [title: string, help: string]>>;
  readonly hints: Readonly<Record<ShotHint['code'], string>>;
  readonly edges: Readonly<Record<PhotoEdge, string>>;
  readonly page: Readonly<Record<PageText, string>>;
}

type PageText =
  | 'around'
  | 'extras'
  | 'known'
  | 'take'
  | 'retake'
  | 'add'
  | 'discard'
  | 'good'
  | 'sending'
  | 'waiting'
  | 'checking'
  | 'finish'
  | 'missing'
  | 'inspecting'
  | 'report'
  | 'more'
  | 'offline'
  | 'ended'
  | 'linkOnly'
  | 'other'
  | 'earlier'
  | 'compare'
  | 'storage';

const EN: CaptureWords = {
  views: {
    front: 'Front',
    front_left: 'Front left corner',
    left_side: 'Left side',
    rear_left: 'Rear left corner',
    rear: 'Rear',
    rear_right: 'Rear right corner',
    right_side: 'Right side',
    front_right: 'Front right corner',
  },
  extras: {
    dashboard: ['Dashboard', 'with the odometer, ignition on'],
    vin_interior: ['VIN', 'at the windshield or the door frame'],
    damage: ['Damage, close up', 'from half a meter, as many as there are'],
  },
  hints: {
    no_vehicle: 'No vehicle can be seen.',
    other_view: 'This looks like: {}.',
    cut_off: 'Step back: the vehicle is cut off {}.',
    too_far: 'Come closer: the vehicle is small.',
    other_vehicle: 'The paint differs from {}: is this another vehicle?',
    blur: 'Blurred: hold still and let the camera focus.',
    dark: 'Too dark: more light shows small damage.',
    bright: 'Too bright: damage there cannot be seen.',
    glare: 'Glare: another angle avoids it.',
    low_resolution: 'Few pixels: choose a larger picture size in the camera.',
  },
  edges: { left: 'on the left', right: 'on the right', top: 'at the top', bottom: 'at the bottom' },
  page: {
    around: 'Around the vehicle',
    extras: 'If you need it',
    known: 'Known damage: take the same picture again',
    take: 'Photograph',
    retake: 'Again',
    add: 'Another',
    discard: 'Discard',
    good: 'Good',
    sending: 'Sending',
    waiting: 'On the phone, waits for the desk',
    checking: 'Checking',
    finish: 'Finish',
    missing: 'still open: {}',
    inspecting: 'Inspecting. This takes a minute.',
    report: 'Open the report',
    more: 'Take more photos',
    offline: 'The desk does not answer. Photos stay on this phone until it does.',
    ended: 'This link has ended. Scan the code on the screen of the desk again; photos stay on this phone.',
    linkOnly: 'Scan the code that vehi capture shows.',
    other: 'Photos of another capture wait on this phone: {}. They are sent when that folder is open again.',
    earlier: 'Before',
    compare: 'Before, over it',
    storage: 'This browser keeps no photos (private mode?): leave this page open until all are sent.',
  },
};

const DE: CaptureWords = {
  views: {
    front: 'Front',
    front_left: 'Vorn links, schräg',
    left_side: 'Linke Seite',
    rear_left: 'Hinten links, schräg',
    rear: 'Heck',
    rear_right: 'Hinten rechts, schräg',
    right_side: 'Rechte Seite',
    front_right: 'Vorn rechts, schräg',
  },
  extras: {
    dashboard: ['Armaturenbrett', 'mit Kilometerstand, Zündung an'],
    vin_interior: ['FIN', 'an der Frontscheibe oder im Türrahmen'],
    damage: ['Schaden, nah', 'aus einem halben Meter, so viele es gibt'],
  },
  hints: {
    no_vehicle: 'Es ist kein Fahrzeug zu sehen.',
    other_view: 'Das sieht aus wie: {}.',
    cut_off: 'Weiter weg: Das Fahrzeug ist {} abgeschnitten.',
    too_far: 'Näher heran: Das Fahrzeug ist klein.',
    other_vehicle: 'Der Lack ist anders als auf {}: Ist das ein anderes Fahrzeug?',
    blur: 'Unscharf: ruhig halten und scharf stellen lassen.',
    dark: 'Zu dunkel: Mehr Licht zeigt kleine Schäden.',
    bright: 'Zu hell: Schäden sind dort nicht zu sehen.',
    glare: 'Blendung: Ein anderer Winkel vermeidet sie.',
    low_resolution: 'Wenige Bildpunkte: in der Kamera eine größere Bildgröße wählen.',
  },
  edges: { left: 'links', right: 'rechts', top: 'oben', bottom: 'unten' },
  page: {
    around: 'Rund um das Fahrzeug',
    extras: 'Wenn nötig',
    known: 'Bekannte Schäden: dasselbe Bild noch einmal',
    take: 'Fotografieren',
    retake: 'Noch einmal',
    add: 'Weiteres',
    discard: 'Verwerfen',
    good: 'Gut',
    sending: 'Wird gesendet',
    waiting: 'Auf dem Telefon, wartet auf den Rechner',
    checking: 'Wird geprüft',
    finish: 'Fertig',
    missing: 'noch offen: {}',
    inspecting: 'Wird untersucht. Das dauert eine Minute.',
    report: 'Bericht öffnen',
    more: 'Weitere Fotos',
    offline: 'Der Rechner antwortet nicht. Die Fotos bleiben so lange auf diesem Telefon.',
    ended:
      'Dieser Link ist abgelaufen. Den Code am Bildschirm noch einmal scannen; die Fotos bleiben auf dem Telefon.',
    linkOnly: 'Den Code scannen, den vehi capture zeigt.',
    other:
      'Fotos einer anderen Aufnahme warten auf diesem Telefon: {}. Sie werden gesendet, wenn deren Ordner wieder offen ist.',
    earlier: 'Vorher',
    compare: 'Vorher, darüber',
    storage:
      'Dieser Browser bewahrt keine Fotos auf (privater Modus?): die Seite offen lassen, bis alle gesendet sind.',
  },
};

const FR: CaptureWords = {
  views: {
    front: 'Avant',
    front_left: 'Trois quarts avant gauche',
    left_side: 'Côté gauche',
    rear_left: 'Trois quarts arrière gauche',
    rear: 'Arrière',
    rear_right: 'Trois quarts arrière droit',
    right_side: 'Côté droit',
    front_right: 'Trois quarts avant droit',
  },
  extras: {
    dashboard: ['Tableau de bord', 'avec le kilométrage, contact mis'],
    vin_interior: ['VIN', 'au pare-brise ou sur le montant de porte'],
    damage: ['Dommage, de près', 'à un demi-mètre, autant qu’il y en a'],
  },
  hints: {
    no_vehicle: 'Aucun véhicule n’est visible.',
    other_view: 'Cela ressemble à : {}.',
    cut_off: 'Reculez : le véhicule est coupé {}.',
    too_far: 'Approchez-vous : le véhicule est petit.',
    other_vehicle: 'La peinture diffère de {} : est-ce un autre véhicule ?',
    blur: 'Flou : ne bougez pas et laissez la mise au point se faire.',
    dark: 'Trop sombre : plus de lumière montre les petits dommages.',
    bright: 'Trop clair : les dommages n’y sont pas visibles.',
    glare: 'Reflets : un autre angle les évite.',
    low_resolution: 'Peu de pixels : choisissez une plus grande taille d’image.',
  },
  edges: { left: 'à gauche', right: 'à droite', top: 'en haut', bottom: 'en bas' },
  page: {
    around: 'Autour du véhicule',
    extras: 'Si besoin',
    known: 'Dommages connus : reprenez la même photo',
    take: 'Photographier',
    retake: 'Refaire',
    add: 'Une autre',
    discard: 'Supprimer',
    good: 'Bien',
    sending: 'Envoi',
    waiting: 'Sur le téléphone, en attente du poste',
    checking: 'Vérification',
    finish: 'Terminer',
    missing: 'reste à faire : {}',
    inspecting: 'Inspection en cours. Cela prend une minute.',
    report: 'Ouvrir le rapport',
    more: 'Autres photos',
    offline: 'Le poste ne répond pas. Les photos restent sur ce téléphone.',
    ended: 'Ce lien a expiré. Scannez de nouveau le code à l’écran ; les photos restent sur ce téléphone.',
    linkOnly: 'Scannez le code affiché par vehi capture.',
    other:
      'Des photos d’une autre prise de vue attendent sur ce téléphone : {}. Elles partiront quand ce dossier sera de nouveau ouvert.',
    earlier: 'Avant',
    compare: 'Avant, superposé',
    storage:
      'Ce navigateur ne conserve pas les photos (mode privé ?) : laissez la page ouverte jusqu’à l’envoi.',
  },
};

export const CAPTURE_WORDS: Readonly<Record<LanguageCode, CaptureWords>> = { en: EN, de: DE, fr: FR };

/** Words one hint about a photo. */
export function describeHint(hint: ShotHint, { hints, views, edges }: CaptureWords): string {
  const value =
    'seen' in hint
      ? (views[hint.seen] ?? hint.seen)
      : 'edge' in hint
        ? edges[hint.edge]
        : 'photo' in hint
          ? hint.photo
          : '';
  return hints[hint.code].replace('{}', value);
}

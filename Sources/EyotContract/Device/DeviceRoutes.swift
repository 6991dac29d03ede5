/// The routes of the device plane: the calls of an app's SDK.
///
/// All are `POST` with a JSON body. The app key authenticates ``register``, and its answer has the device secret for
/// the others. Both are sent as `Authorization: Bearer …`.
public enum DeviceRoute: String, Sendable, CaseIterable {
    /// ``DeviceRegistration`` in, ``DeviceCredentials`` out.
    case register = "/v1/device/register"
    /// ``DeviceChangeBatch`` in, ``DeviceAnswer`` out.
    case changes = "/v1/device/changes"
    /// ``ChannelQuestion`` in, ``ChannelAdvice`` out.
    case channel = "/v1/device/channel"
    /// ``CardQuestion`` in, ``CardAdvice`` out.
    case card = "/v1/device/card"
}

/// Headers of the device plane, besides HTTP's own.
public enum DeviceHeader {
    /// The header with the secret from the first registration. Later registrations of the installation prove themselves
    /// with it.
    public static let secret = "Eyot-Device-Secret"
    /// The header of every answer, also of an error, with the id of the database's history (R17).
    ///
    /// A database gets another history when it goes back: by a restore, an adoption, or the promotion of a standby that
    /// lost commits. Sequences that were confirmed and versions that were answered in one history mean nothing in
    /// another. A phone that reads another id than before registers again and reports everything anew. The value
    /// fulfils ``DeviceLimits/isHistory(_:)``. A phone ignores other values and an answer without the header, which an
    /// older server or a proxy gives.
    public static let history = "Eyot-History"
}

/// Members of a card's attributes that phone and server both understand.
public enum AttributesMember {
    /// The activity's name. The SDK reads it to find the activity of a card that a push started.
    public static let activityName = "eyotActivityName"
    /// The members for the name in the types of apps that come from Netmera, Braze and Insider.
    public static let vendorNames = ["netmeraGroupId", "brazeActivityId", "insiderLiveActivityId"]
}

/// The limits of the device plane, for phone and server.
public enum DeviceLimits {
    /// Changes in one batch.
    public static let changesPerBatch = 100
    /// Bytes of a request's body. A batch of changes is far smaller: contents of local cards have at most 4 KB each.
    public static let bodyBytes = 256 * 1_024
    /// UTF-8 bytes of a name, an instance, a type, a user's id or a tag.
    public static let identifierBytes = 256
    /// Cards in one report of running cards. iOS allows far fewer.
    public static let cardsPerReport = 64
    /// UTF-8 bytes of a signed identity.
    public static let signatureBytes = 8 * 1_024
    /// UTF-8 bytes of a join secret.
    public static let joinSecretBytes = 128
    /// Tags of one device.
    public static let tagsPerDevice = 100
    /// Attributes of one device.
    public static let attributesPerDevice = 100
    /// UTF-8 bytes of an attribute's text.
    public static let attributeBytes = 1_024
    /// Elements of an attribute that is an array of texts.
    public static let attributeElements = 100

    /// UTF-8 bytes of a profile as JSON. The SDK keeps to it, and the server's limit is the same unless it is
    /// configured.
    public static let profileBytes = 32 * 1_024

    /// Characters of a history's id.
    public static let historyCharacters = 64

    /// Whether a text is a history's id: 1 to 64 characters of A–Z, a–z, 0–9 and the hyphen.
    public static func isHistory(_ text: String) -> Bool {
        (1...historyCharacters).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Whether the server accepts a text as a name, an instance, a type, a user's id or a tag.
    public static func isIdentifier(_ text: String) -> Bool {
        (1...identifierBytes).contains(text.utf8.count) && !text.utf8.contains(0)
    }

    /// The rule of ``isIdentifier(_:)``, in the words of error messages.
    static let identifierRule = "must have 1 to \(identifierBytes) bytes and no NUL"
}

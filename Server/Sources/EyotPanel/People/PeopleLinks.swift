import EyotHTTP

/// Paths of the pages of a person and of a device.
extension UserPage {
    static func path(_ user: String) -> String { "/panel/users/\(PercentEncoding.encoded(user))" }
}

extension DevicePage {
    static func path(_ device: String) -> String { "/panel/devices/\(PercentEncoding.encoded(device))" }
}

import SwiftUI

/// The motion of the cards. The rules are the system's, and all of them are here:
///
/// - An animation lasts two seconds at most; the system cuts off a longer one.
/// - From iOS 17 the system animates the views that changed, by default or as they specify. Up to iOS 16 it ignores
///   animations in the code and uses its own, so nothing may depend on them.
/// - A dimmed Always-On display animates nothing, so the code should ask for no animation.
/// - Nothing moves by itself between two states. Only the system's texts and bars that are made of dates keep running.
enum CardMotion {
    /// Seconds that the system lets an animation last.
    static let longest = 2.0
    /// Seconds of ours: a goal is news for the eye, not a film.
    static let usual = min(0.4, longest)
}

extension View {
    /// A figure that counts to its next value: only the digits that change roll.
    func rolling(_ value: Int) -> some View { modifier(RollingFigure(value: value)) }

    /// Lets the next picture or text push this one out. The identity makes them two different views. Without `id` the
    /// old one is changed in place, and a transition never happens.
    func pushed(by identity: some Hashable & Sendable) -> some View { modifier(PushedView(identity: identity)) }

    /// Shows a change that accompanies the news without motion, so that it does not draw the eye.
    func still(_ value: some Equatable) -> some View {
        transition(.identity).animation(nil, value: value)
    }
}

private struct RollingFigure: ViewModifier {
    let value: Int
    @Environment(\.isLuminanceReduced) private var isDimmed

    func body(content: Content) -> some View {
        if #available(iOS 17.0, *), !isDimmed {
            content
                .contentTransition(.numericText(value: Double(value)))
                .animation(.spring(duration: CardMotion.usual), value: value)
        } else {
            // iOS 16 blends the two texts by itself.
            content
        }
    }
}

private struct PushedView<Identity: Hashable & Sendable>: ViewModifier {
    let identity: Identity
    @Environment(\.isLuminanceReduced) private var isDimmed

    func body(content: Content) -> some View {
        if #available(iOS 17.0, *), !isDimmed {
            content
                .id(identity)
                .transition(.push(from: .bottom))
                .animation(.easeOut(duration: CardMotion.usual), value: identity)
        } else {
            content.id(identity)
        }
    }
}
